// C1 requests with one thing wrong, sent to the real daemon: each fails with an error that names the field, and the daemon
// goes on.
#include <algorithm>
#include <map>

#include "server/daemon_fixture.h"

namespace cuzk::server {
namespace {

using testing::HasSubstr;

/// What the error must say, by the name of the vector without "porep-" and what follows the dot. Those of the vectors that
/// are not here can be proved: what is wrong in them is not used.
const std::map<std::string, std::string>& expected_words() {
  static const std::map<std::string, std::string> words{
      {"b64-bits", "Phase1Out: cannot be read: base64: the unused bits"},
      {"b64-char", "Phase1Out: cannot be read: base64: the character at offset 1000"},
      {"b64-padding", "Phase1Out: cannot be read: base64"},
      {"b64-urlsafe", "Phase1Out: cannot be read: base64"},
      {"bad-index", "challenge 0 (node 55): the path in tree R-last"},
      {"bad-node", "challenge 0 (node 55): the encoded node and its path in tree R-last"},
      {"bom", "vanilla_proof: cannot be read: expected '{'"},
      {"byte-256", "comm_r: the number 256"},
      {"byte-float", "ticket: expected a whole number"},
      {"cut-base64", "Phase1Out: a string without an end"},
      {"cut-brace", "vanilla_proof: cannot be read"},
      {"cut-phase1", "challenge 1 replica_column_proofs drg_parents number 5 column"},
      {"dup-comm_d", "comm_d: the field is there twice"},
      {"dup-sectornum", "SectorNum: the field is there twice"},
      {"empty", "vanilla_proof: cannot be read"},
      {"five-parents", "drg_parents: 5 parents"},
      {"index-8", "comm_r_last_proof level 0: the index 8"},
      {"label-parents", "labeling_proofs number 1 parents: 36"},
      {"long-comm_r", "comm_r: more than 32"},
      {"no-comm_r", "the field comm_r is missing"},
      {"no-partition", "vanilla_proofs: 0 partitions"},
      {"no-phase1", "the field Phase1Out is missing"},
      {"num-string", "SectorNum: expected a whole number"},
      {"one-challenge", "partition 0: 1 challenges"},
      {"one-layer", "labeling_proofs: 1 proofs"},
      {"other-comm_d", "comm_d"},
      {"other-replica_id", "replica_id"},
      {"other-seed", "challenge 0 (node 55): the node is not the challenge"},
      {"r-comm_r", "comm_r is not below the field's modulus"},
      {"r-node", "challenge 0 comm_r_last_proof data path path level 0 hashes sibling 0"},
      {"r-replica_id", "replica_id is not below the field's modulus"},
      {"rp-32gib", "registered_proof is StackedDrg32GiBV1_1"},
      {"rp-ni", "vanilla_proofs: 1 partitions"},
      {"rp-unknown", "registered_proof"},
      {"rp-v1", "replica_id"},
      {"short-comm_d", "comm_d: 31 numbers"},
      {"short-path", "comm_r_last_proof: a path of 1 levels"},
      {"six-siblings", "comm_r_last_proof level 1: 6 siblings"},
      {"size-negative", "SectorSize: expected a whole number"},
      {"size-other", "SectorSize is 4096"},
      {"tag-8mib", "comm_d_proofs: a path of 6 levels"},
      {"tag-sub", "comm_r_last_proof data: the field base_proof is missing"},
      {"tag-v1_1", "vanilla_proofs: the tag"},
      {"trailing", "vanilla_proof: cannot be read: something after the end"},
      {"two-tags", "vanilla_proofs: expected one variant"},
      {"utf8", "Phase1Out: a string is not UTF-8"},
      {"zero-comm_d", "comm_d is zero"},
      {"zero-seed", "seed is zero"},
  };
  return words;
}

/// "porep-bom.json.xz" gives "bom"; nothing for other kinds.
std::string short_name(const nlohmann::json& item) {
  const std::string file = item.at("file");
  return item.at("kind") == "porep" ? file.substr(6, file.find('.') - 6) : "";
}

v1::SubmitProofRequest request_of(const nlohmann::json& item) {
  v1::SubmitProofRequest request;
  request.set_request_id(item.at("file"));
  request.set_proof_kind(v1::POREP_SEAL_COMMIT);
  request.set_miner_id(item.at("request").at("miner_id"));
  request.set_vanilla_proof(test::vector_text("malformed/" + item.at("file").get<std::string>()));
  return request;
}

TEST_F(DaemonTest, EveryMalformedRequestFailsNamingTheFieldAndTheDaemonLives) {
  takes_toys = false;
  start();
  std::size_t sent = 0;
  for (const auto& item : test::vector_json("malformed/index.json")) {
    const auto words = expected_words().find(short_name(item));
    if (words == expected_words().end()) continue;
    const auto answer = client->prove(request_of(item));
    EXPECT_EQ(answer.status(), v1::AwaitProofResponse::FAILED) << words->first;
    EXPECT_THAT(answer.error_message(), HasSubstr(words->second)) << words->first;
    ++sent;
  }
  EXPECT_EQ(sent, expected_words().size());
  EXPECT_TRUE(daemon->runs());
  auto good = toy("good");
  good.set_vanilla_proof(test::vector_text("sectors/2KiB/s2-v1_1/c1.json.xz"));
  EXPECT_THAT(client->prove(good).error_message(), HasSubstr(".params")) << "only the key is missing";
}

TEST(MalformedVectors, ThoseThatAreNotSentMayBeAccepted) {
  for (const auto& item : test::vector_json("malformed/index.json")) {
    const auto name = short_name(item);
    if (name.empty() || expected_words().contains(name)) continue;
    const auto also = item.at("also_right").get<std::vector<std::string>>();
    EXPECT_TRUE(item.at("expect") == "accepted" || std::ranges::find(also, "accepted") != also.end()) << name;
  }
}

}  // namespace
}  // namespace cuzk::server
