#include "filecoin/public_inputs.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "filecoin/replica_id.h"
#include "filecoin/sector_vectors.h"

namespace cuzk::filecoin {
namespace {

PorepStatement statement_of(const nlohmann::json& item) {
  return {SealProof::from_name(item.at("registered_proof").get<std::string>()),
          item.at("miner_id").get<u64>(),
          item.at("sector_number").get<u64>(),
          node_of_hex(item.at("ticket")),
          node_of_hex(item.at("seed")),
          node_of_hex(item.at("comm_d")),
          node_of_hex(item.at("comm_r"))};
}

std::vector<std::string> hex_of(const std::vector<Fr>& inputs) {
  std::vector<std::string> texts;
  for (const Fr& input : inputs) texts.push_back(to_hex(input.to_bytes()));
  return texts;
}

TEST(PublicInputs, AreThoseOfTheSectors) {
  for (const auto& folder : kSectorFolders) {
    const PorepStatement statement = statement_of(sector_of(folder));
    const auto expected = test::vector_json("sectors/" + folder + "/public_inputs.json").at("public_inputs");
    EXPECT_EQ(expected.size(), statement.proof.challenges().partitions);
    for (u32 partition = 0; partition < expected.size(); ++partition)
      EXPECT_EQ(hex_of(statement.public_inputs(partition)), expected[partition].get<std::vector<std::string>>())
          << folder;
  }
}

TEST(PublicInputs, AreThoseOfLargeSectors) {
  const auto vectors = test::vector_json("sectors/big_public_inputs.json");
  for (const auto& item : vectors.at("cases")) {
    const PorepStatement statement = statement_of(item);
    EXPECT_EQ(to_hex(statement.replica_id()), item.at("replica_id"));
    for (u32 partition = 0; partition < item.at("public_inputs_sha256").size(); ++partition) {
      Sha256 hash;
      for (const Fr& input : statement.public_inputs(partition)) hash.update(input.to_bytes());
      EXPECT_EQ(to_hex(hash.finish()), item.at("public_inputs_sha256")[partition]) << item.at("registered_proof");
    }
  }
}

class VerifyPorep : public testing::Test {
 protected:
  const nlohmann::json vector_ = test::vector_json("proofs/porep-2k.s2-v1_1.json");
  const nlohmann::json setup_ = test::vector_json("setup/porep-2k.json");
  const std::vector<u8> proof_ = from_hex(vector_.at("proof").get<std::string>());
  const groth16::VerifyingKey key_ =
      groth16::VerifyingKey::from_bytes(from_hex(setup_.at("vk").at("bytes").get<std::string>()), "porep-2k.vk");
  PorepStatement statement_ = statement_of(sector_of("2KiB/s2-v1_1"));
};

TEST_F(VerifyPorep, AcceptsTheProofOfTheVectors) { EXPECT_TRUE(verify_porep(statement_, proof_, key_)); }

TEST_F(VerifyPorep, RefusesEveryOtherStatement) {
  const auto refused_after = [this](auto change) {
    PorepStatement other = statement_;
    change(other);
    EXPECT_FALSE(verify_porep(other, proof_, key_));
  };
  refused_after([](auto& other) { other.miner_id += 1; });
  refused_after([](auto& other) { other.sector_number += 1; });
  refused_after([](auto& other) { other.ticket[0] ^= 1; });
  refused_after([](auto& other) { other.seed[31] ^= 1; });
  refused_after([](auto& other) { other.comm_d[0] ^= 1; });
  refused_after([](auto& other) { other.comm_r[0] ^= 1; });
  refused_after([](auto& other) { other.proof.variant = SealVariant::v1; });
}

TEST_F(VerifyPorep, RefusesAnotherNumberOfPartitions) {
  std::vector<u8> twice = proof_;
  twice.insert(twice.end(), proof_.begin(), proof_.end());
  EXPECT_THROW(verify_porep(statement_, twice, key_), Error);
  EXPECT_THROW(verify_porep(statement_, std::span(proof_).first(191), key_), Error);
}

TEST(PublicInputs, RefuseCommitmentsThatAreNoElements) {
  PorepStatement statement = statement_of(sector_of("2KiB/s2-v1_1"));
  statement.comm_r.fill(0xff);
  EXPECT_THROW(statement.public_inputs(0), Error);
}

}  // namespace
}  // namespace cuzk::filecoin
