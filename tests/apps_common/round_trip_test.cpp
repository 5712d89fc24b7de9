// The files that commands read, made of random values: requests, scalars, toxic waste, checkpoints.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <fstream>

#include "apps/process.h"
#include "base/hex.h"
#include "base/json_object.h"
#include "common/blinding_file.h"
#include "common/checkpoint_file.h"
#include "common/request_file.h"
#include "common/request_writer.h"
#include "common/scalars.h"
#include "common/toxic_waste.h"
#include "filecoin/sealing/vanilla_writer.h"
#include "support/random_requests.h"

namespace cuzk::apps {
namespace {

using filecoin::PostKind;
using test::Random;

std::string text_of(std::span<const u8> bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

/// Of a size that the network has: others have no registered proof that a request could name.
filecoin::VanillaPost requested_post(Random& random) {
  auto post = test::random_post(random);
  while (!post.proof.shape->official) post = test::random_post(random);
  return post;
}

RC_GTEST_PROP(RoundTrip, PostThroughARequestFile, (u64 seed, u64 miner)) {
  Random random(seed);
  const auto post = requested_post(random);
  const auto kind = post.proof.kind == PostKind::winning ? engine::Kind::winning_post : engine::Kind::window_post;
  const auto input = parse_request_file(request_of(post, miner), kind, {});
  RC_ASSERT(filecoin::PostProof::from_number(input.registered_proof).name() == post.proof.name());
  RC_ASSERT(input.sector_size == post.proof.shape->bytes);
  RC_ASSERT(input.miner_id == miner);
  RC_ASSERT(input.randomness == text_of(post.randomness));
  RC_ASSERT(input.partition_index == post.first_partition);
  RC_ASSERT(input.vanilla_proofs == filecoin::encode_post(post));
}

RC_GTEST_PROP(RoundTrip, UpdateThroughARequestFile, (u64 seed, u64 miner)) {
  Random random(seed);
  const auto update = test::random_update(random);
  const auto input = parse_request_file(request_of(update, miner), engine::Kind::snap, {});
  RC_ASSERT(input.sector_size == update.shape->bytes);
  if (update.shape->official) RC_ASSERT(&filecoin::update_shape_of(input.registered_proof) == update.shape);
  RC_ASSERT(input.miner_id == miner);
  RC_ASSERT(input.comm_r_old == text_of(update.comm_r_old.to_bytes()));
  RC_ASSERT(input.comm_d_new == text_of(update.comm_d_new.to_bytes()));
  RC_ASSERT(input.comm_r_new == text_of(update.comm_r_new.to_bytes()));
  RC_ASSERT(input.vanilla_proofs == filecoin::encode_update(update));
}

RC_GTEST_PROP(RoundTrip, ScalarsThroughText, (u64 seed)) {
  Random random(seed);
  const Fr scalar = test::random_field<Fr>(random);
  RC_ASSERT(parse_scalar(to_hex(scalar.to_bytes()), "scalar") == scalar);
}

RC_GTEST_PROP(RoundTrip, ToxicWasteThroughAFile, (u64 seed)) {
  Random random(seed);
  const auto waste = test::random_fields<Fr>(5, random);
  JsonObject object;
  std::size_t next = 0;
  for (const char* name : {"alpha", "beta", "gamma", "delta", "tau"})
    object.add(name, to_hex(waste[next++].to_bytes()));
  const test::TemporaryFolder folder;
  std::ofstream(folder / "waste.json") << object.text();
  const auto read = read_toxic_waste(folder / "waste.json");
  RC_ASSERT((std::vector{read.alpha, read.beta, read.gamma, read.delta, read.tau}) == waste);
}

r1cs::Checkpoint random_checkpoint(Random& random) {
  r1cs::Checkpoint checkpoint;
  checkpoint.constraints = random();
  checkpoint.inputs = static_cast<u32>(random());
  checkpoint.aux = static_cast<u32>(random());
  for (u8& byte : checkpoint.digest) byte = static_cast<u8>(random());
  checkpoint.path = *rc::gen::container<std::string>(rc::gen::inRange<char>(1, 127));
  return checkpoint;
}

std::string row_of(const r1cs::Checkpoint& checkpoint) {
  return fmt::format(R"([{},{},{},"{}",{}])", checkpoint.constraints, checkpoint.inputs, checkpoint.aux,
                     to_hex(checkpoint.digest), json_quoted(checkpoint.path));
}

bool equal(const r1cs::Checkpoint& a, const r1cs::Checkpoint& b) {
  return a.constraints == b.constraints && a.inputs == b.inputs && a.aux == b.aux && a.digest == b.digest &&
         a.path == b.path;
}

RC_GTEST_PROP(RoundTrip, CheckpointsThroughAFile, (u64 seed)) {
  Random random(seed);
  std::vector<r1cs::Checkpoint> rows(random() % 4);
  for (auto& row : rows) row = random_checkpoint(random);
  std::vector<std::string> texts;
  for (const auto& row : rows) texts.push_back(row_of(row));
  const u64 every = 1 + random() % 1000;
  const test::TemporaryFolder folder;
  std::ofstream(folder / "rows.json") << fmt::format(R"({{"checkpoint_every":{},"rows":[{}]}})", every,
                                                     fmt::join(texts, ","));
  const auto read = read_checkpoints(folder / "rows.json");
  RC_ASSERT(read.every == every);
  RC_ASSERT(std::ranges::equal(read.rows, rows, equal));
}

#ifdef CUZK_INSECURE
RC_GTEST_PROP(RoundTrip, FixedBlindingsThroughAFile, (u64 seed)) {
  Random random(seed);
  const auto hex = [](const Fr& value) { return to_hex(value.to_bytes()); };
  KnownBlindings expected;
  std::string text = R"({"kind":"any","partitions":[)";
  for (u64 i = random() % 5; i > 0; --i) {
    const auto inputs = test::random_fields<Fr>(random() % 20, random), blinding = test::random_fields<Fr>(4, random);
    expected.insert_or_assign(known_by(inputs), KnownBlinding{blinding[0], blinding[1]});
    text += R"({"public_inputs":[)";
    for (std::size_t k = 0; k < inputs.size(); ++k) text += fmt::format("{}\"{}\"", k == 0 ? "" : ",", hex(inputs[k]));
    text += fmt::format(R"(],"proofs":[{{"r":"{}","s":"{}"}},{{"r":"{}","s":"{}"}}]}}{})", hex(blinding[0]),
                        hex(blinding[1]), hex(blinding[2]), hex(blinding[3]), i == 1 ? "" : ",");
  }
  const test::TemporaryFolder folder;
  std::ofstream(folder / "blindings.json") << text + "]}";
  KnownBlindings found;
  read_blindings(folder / "blindings.json", found);
  RC_ASSERT(found.size() == expected.size());
  for (const auto& [inputs, blinding] : expected) {
    RC_ASSERT(found.at(inputs).r == blinding.r);
    RC_ASSERT(found.at(inputs).s == blinding.s);
  }
}
#endif

}  // namespace
}  // namespace cuzk::apps
