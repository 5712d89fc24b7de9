// Every rule of the request files: what is wrong in one, and the words that the refusal must have.
#include "common/request_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace cuzk::apps {
namespace {

using engine::Kind;
using testing::HasSubstr;
using testing::ThrowsMessage;

void refused(const std::string& text, const std::string& words, const RequestFlags& flags = {}) {
  EXPECT_THAT([&] { parse_request_file(text, Kind::window_post, flags); }, ThrowsMessage<Error>(HasSubstr(words)))
      << text;
}

TEST(RequestFile, TakesAnObjectOrAnArrayWithFlags) {
  const auto input = parse_request_file(R"({"kind":"window","registered_proof":10,"vanilla_proofs":["AAAA",""]})",
                                        Kind::window_post, {});
  EXPECT_EQ(input.registered_proof, 10u);
  EXPECT_EQ(input.vanilla_proofs, (std::vector<std::string>{std::string(3, '\0'), ""}));
  RequestFlags flags;
  flags.registered_proof = 11;
  flags.randomness = "00ff";
  const auto bare = parse_request_file(R"(["AAAA"])", Kind::window_post, flags);
  EXPECT_EQ(bare.registered_proof, 11u);
  EXPECT_EQ(bare.randomness, std::string("\0\xff", 2));
}

TEST(RequestFile, IsJson) {
  refused("", "cannot be read: ");
  refused("{", "cannot be read: ");
  refused("5", "expected an object, or an array of base64 strings");
}

TEST(RequestFile, HasFieldsThatExist) {
  refused(R"({"registered_prof":10})", "there is no field 'registered_prof' in a request");
  refused(R"({"kind":"winning"})", "kind: it is 'winning', expected 'window-post'");
  refused(R"({"kind":5})", "kind: expected a string");
  refused(R"({"vanilla_proofs":["AAAA"]})", "registered_proof is missing");
  refused(R"(["AAAA"])", "registered_proof is missing");
}

TEST(RequestFile, HasNumbersInTheirBounds) {
  refused(R"({"sector_size":"2048"})", "sector_size: expected a whole number");
  refused(R"({"miner_id":-1})", "miner_id: expected a whole number");
  refused(R"({"registered_proof":1.5})", "registered_proof: expected a whole number");
  refused(R"({"partition_index":4294967296})", "partition_index: 4294967296, expected at most 4294967295");
}

TEST(RequestFile, HasProofsInBase64) {
  refused(R"({"vanilla_proofs":"AAAA"})", "vanilla_proofs: expected an array of base64 strings");
  refused(R"({"vanilla_proofs":[5]})", "vanilla_proofs: expected a string");
  refused(R"({"vanilla_proofs":["AAAA","AAA"]})", "vanilla_proofs[1]: base64: 3 characters");
  refused(R"({"vanilla_proofs":["A_AA"]})", "vanilla_proofs[0]: base64: the character at offset 1");
}

TEST(RequestFile, HasBytesInHexadecimalDigits) {
  for (const std::string field : {"randomness", "comm_r_old", "comm_r_new", "comm_d_new", "prover_id"}) {
    refused("{\"" + field + "\":\"0g\"}", field + ": ");
    refused("{\"" + field + "\":7}", field + ": expected a string");
  }
  RequestFlags flags;
  flags.randomness = "abc";
  refused(R"({"registered_proof":10})", "--randomness: ", flags);
}

}  // namespace
}  // namespace cuzk::apps
