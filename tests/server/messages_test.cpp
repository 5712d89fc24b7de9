#include "server/messages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace cuzk::server {
namespace {

using engine::ProofInput;
using testing::HasSubstr;
using testing::ThrowsMessage;

ProofInput random_input() {
  ProofInput input;
  input.kind = *rc::gen::elementOf(engine::kKinds);
  for (u64* const number : {&input.sector_size, &input.registered_proof, &input.sector_number, &input.miner_id})
    *number = *rc::gen::arbitrary<u64>();
  input.partition_index = *rc::gen::arbitrary<u32>();
  input.vanilla_proof = *rc::gen::arbitrary<std::string>();
  input.vanilla_proofs = *rc::gen::arbitrary<std::vector<std::string>>();
  for (std::string* const bytes : {&input.randomness, &input.comm_r_old, &input.comm_r_new, &input.comm_d_new})
    *bytes = *rc::gen::arbitrary<std::string>();
  return input;
}

RC_GTEST_PROP(Messages, ARequestGoesThroughItsBytes, ()) {
  const ProofInput input = random_input();
  const std::string bytes = request_message(ProofInput(input), "its id").SerializeAsString();
  v1::SubmitProofRequest message;
  RC_ASSERT(message.ParseFromString(bytes));
  const auto request = take_request(std::move(message));
  RC_ASSERT(request.request_id == "its id");
  RC_ASSERT(request.priority == engine::default_priority(input.kind));
  RC_ASSERT(engine::digest(request.input) == engine::digest(input));  // over every field
}

TEST(Messages, ADeviceTellsItsMemory) {
  engine::EngineSnapshot snapshot;
  snapshot.devices.resize(2);
  snapshot.devices[1].device.name = "cuda:1";
  snapshot.devices[1].reserved_bytes = 1000;
  snapshot.devices[1].free_bytes = 500;
  const auto message = status_message(snapshot, {});
  ASSERT_EQ(message.gpus_size(), 2);
  EXPECT_EQ(message.gpus(0).vram_total_bytes(), 0u);
  EXPECT_EQ(message.gpus(1).vram_total_bytes(), 1000u);
  EXPECT_EQ(message.gpus(1).vram_free_bytes(), 500u);
}

TEST(Messages, AKindAndAPriorityExist) {
  v1::SubmitProofRequest message;
  EXPECT_THAT([&] { take_request(v1::SubmitProofRequest(message)); },
              ThrowsMessage<Error>(HasSubstr("proof_kind is 0, expected 1 to 4")));
  message.set_proof_kind(v1::WINNING_POST);
  message.set_priority(static_cast<v1::Priority>(9));
  EXPECT_THAT([&] { take_request(v1::SubmitProofRequest(message)); },
              ThrowsMessage<Error>(HasSubstr("priority is 9, expected 0 to 4")));
}

}  // namespace
}  // namespace cuzk::server
