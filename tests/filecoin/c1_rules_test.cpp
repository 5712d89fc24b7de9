// Every rule of the C1 decoder: a good request, one thing in it changed, and the words that the refusal must have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "filecoin/base64.h"
#include "filecoin/c1_decoder.h"
#include "filecoin/sector_vectors.h"

namespace cuzk::filecoin {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::ThrowsMessage;

const std::vector<int> kNotCanonical(32, 255);

class C1Rules : public testing::Test {
 protected:
  C1Rules() {
    body_ = json::parse(c1_of("2KiB/s2-v1_1"));
    const auto bytes = decode_base64(body_.at("Phase1Out").get<std::string>());
    good_ = json::parse(bytes.begin(), bytes.end());
    phase1_ = good_;
  }

  void refused(const std::string& words) {
    const std::string text = phase1_.dump();
    body_["Phase1Out"] = encode_base64(std::span(reinterpret_cast<const u8*>(text.data()), text.size()));
    EXPECT_THAT([&] { decode_c1(body_.dump()); }, ThrowsMessage<Error>(HasSubstr(words)));
    phase1_ = good_;
  }

  json& partitions() { return phase1_["vanilla_proofs"]["StackedDrg2KiBV1"]; }
  json& challenge() { return partitions()[0][1]; }
  json& columns() { return challenge()["replica_column_proofs"]; }
  static json& path(json& proof) { return proof["data"]["Single"]["path"]["path"]; }

  json body_, good_, phase1_;
};

TEST_F(C1Rules, TheProofTypeExists) {
  phase1_["registered_proof"] = "StackedDrg3KiBV1";
  refused("there is no registered seal proof 'StackedDrg3KiBV1'");
  phase1_["registered_proof"] = 5;
  refused("registered_proof");
}

TEST_F(C1Rules, TheTagIsTheSizesFirstProof) {
  phase1_["vanilla_proofs"] = json{{"StackedDrg2KiBV1_1", partitions()}};
  refused("the tag is not the name of a size's first proof");
  phase1_["registered_proof"] = "StackedDrg8MiBV1_1";
  refused("the vanilla proofs are those of StackedDrg2KiBV1, registered_proof is StackedDrg8MiBV1_1");
}

TEST_F(C1Rules, PartitionsAreThoseOfTheProof) {
  while (partitions().size() < 14) partitions().push_back(partitions()[0]);
  refused("partition 13: more than 13 partitions");
  partitions().clear();
  refused("0 partitions, StackedDrg2KiBV1_1 has 1");
}

TEST_F(C1Rules, ChallengesAreThoseOfTheSize) {
  partitions()[0].push_back(partitions()[0][0]);
  refused("partition 0 challenge 2: more than 2 challenges");
  partitions()[0].erase(1);
  refused("partition 0: 1 challenges, expected 2");
}

TEST_F(C1Rules, EveryFieldOfAChallengeIsThere) {
  for (const char* const field :
       {"comm_d_proofs", "comm_r_last_proof", "replica_column_proofs", "labeling_proofs", "encoding_proof"}) {
    challenge().erase(field);
    refused(std::string("the field ") + field + " is missing");
  }
}

TEST_F(C1Rules, MerkleProofsGoThroughTheTreesOfTheSize) {
  json& data = challenge()["comm_d_proofs"]["data"];
  data = json{{"Double", data["Single"]}};
  refused("the tag is none of Single, Sub, Top");
  json& proof = challenge()["comm_r_last_proof"]["data"];
  const json single = proof["Single"];
  proof = json{{"Sub",
                {{"root", single["root"]},
                 {"leaf", single["leaf"]},
                 {"base_proof", single["path"]},
                 {"sub_proof", {{"path", json::array()}}}}}};
  refused("comm_r_last_proof: a proof of 2 trees, expected 1");
}

TEST_F(C1Rules, PathsAreThoseOfTheTrees) {
  path(challenge()["comm_r_last_proof"]).erase(0);
  refused("comm_r_last_proof: a path of 1 levels, expected 2");
  json& levels = path(challenge()["comm_d_proofs"]);
  while (levels.size() < 41) levels.push_back(levels[0]);
  refused("level 40: more than 40 levels");
  path(challenge()["comm_r_last_proof"])[1]["index"] = 8;
  refused("comm_r_last_proof level 1: the index 8, expected below 8");
  path(challenge()["comm_r_last_proof"])[1]["index"] = u64{1} << 32;
  refused("comm_r_last_proof level 1: the index 4294967295, expected below 8");
  json& siblings = path(challenge()["comm_r_last_proof"])[0]["hashes"];
  siblings.push_back(siblings[0]);
  refused("comm_r_last_proof level 0: 8 siblings, expected 7");
  json& many = path(challenge()["comm_r_last_proof"])[0]["hashes"];
  while (many.size() < 16) many.push_back(many[0]);
  refused("more than 15 siblings");
}

TEST_F(C1Rules, ParentsAreThoseOfTheGraph) {
  columns()["drg_parents"].erase(5);
  refused("drg_parents: 5 parents, expected 6");
  columns()["drg_parents"].push_back(columns()["drg_parents"][0]);
  refused("drg_parents number 6: more than 6 parents");
  columns()["exp_parents"].erase(0);
  refused("exp_parents: 7 parents, expected 8");
  columns()["exp_parents"].push_back(columns()["exp_parents"][0]);
  refused("exp_parents number 8: more than 8 parents");
}

TEST_F(C1Rules, ColumnsHaveARowForEachLayer) {
  columns()["c_x"]["column"]["rows"].erase(1);
  refused("c_x column rows: 1 layers, expected 2");
  json& rows = columns()["exp_parents"][2]["column"]["rows"];
  rows.push_back(rows[0]);
  refused("exp_parents number 2 column rows layer 3: more than 2 layers");
}

TEST_F(C1Rules, LabelsHaveTheirNumbers) {
  challenge()["labeling_proofs"].erase(1);
  refused("labeling_proofs: 1 proofs, expected one a layer: 2");
  challenge()["labeling_proofs"][1]["parents"].erase(0);
  refused("labeling_proofs number 1 parents: 36 labels, expected 37");
  challenge()["encoding_proof"]["node"] = 64;
  refused("encoding_proof node: 64, expected below 64");
  challenge()["encoding_proof"]["layer_index"] = u64{1} << 32;
  refused("layer_index");
}

TEST_F(C1Rules, ValuesAreFieldElements) {
  challenge()["comm_d_proofs"]["data"]["Single"]["leaf"] = kNotCanonical;
  refused("comm_d_proofs: leaf: it is not below the field's modulus");
  challenge()["comm_r_last_proof"]["data"]["Single"]["root"] = kNotCanonical;
  refused("comm_r_last_proof: root: it is not below the field's modulus");
  path(challenge()["comm_r_last_proof"])[1]["hashes"][3] = kNotCanonical;
  refused("level 1 hashes sibling 3: value: it is not below the field's modulus");
  columns()["drg_parents"][2]["column"]["rows"][0] = kNotCanonical;
  refused("drg_parents number 2 column rows layer 1: label: it is not below the field's modulus");
  for (const char* const field : {"comm_r", "comm_d", "replica_id"}) {
    phase1_[field] = kNotCanonical;
    refused(std::string(field) + " is not below the field's modulus");
  }
}

TEST_F(C1Rules, APartitionHasOneRootOfEachTree) {
  const auto other = [](json& node) { node[0] = node[0].get<int>() ^ 1; };
  other(challenge()["comm_r_last_proof"]["data"]["Single"]["root"]);
  refused("challenge 1 comm_r_last_proof: root: it differs from that of challenge 0");
  other(columns()["c_x"]["inclusion_proof"]["data"]["Single"]["root"]);
  refused("c_x inclusion_proof: root: it differs from that of challenge 0");
}

TEST_F(C1Rules, CommitmentsAndTheSeedAreNotZero) {
  for (const char* const field : {"comm_d", "comm_r", "seed"}) {
    phase1_[field] = std::vector<int>(32, 0);
    refused(std::string("Phase1Out: ") + field + " is zero");
  }
}

TEST_F(C1Rules, NodesAre32Bytes) {
  phase1_["ticket"] = std::vector<int>(31, 1);
  refused("ticket: 31 numbers");
  phase1_["seed"] = std::vector<int>(33, 1);
  refused("seed: more than 32");
  phase1_["comm_r"][7] = 256;
  refused("comm_r: the number 256");
}

TEST_F(C1Rules, TheSizeBesidePhase1IsTheProofs) {
  body_["SectorSize"] = 4096;
  refused("SectorSize is 4096, registered_proof is StackedDrg2KiBV1_1");
  body_.erase("SectorSize");
  refused("the field SectorSize is missing");
}

}  // namespace
}  // namespace cuzk::filecoin
