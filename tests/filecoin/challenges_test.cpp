#include "filecoin/challenges.h"

#include <gtest/gtest.h>

#include "filecoin/sector_vectors.h"

namespace cuzk::filecoin {
namespace {

std::string digest_of(const std::vector<u64>& nodes) {
  Sha256 hash;
  for (const u64 node : nodes) {
    const std::array<u8, 4> bytes{static_cast<u8>(node), static_cast<u8>(node >> 8), static_cast<u8>(node >> 16),
                                  static_cast<u8>(node >> 24)};
    hash.update(bytes);
  }
  return to_hex(hash.finish());
}

class PorepChallenges : public testing::Test {
 protected:
  template <class Check>
  void for_each_case(Check check) {
    const auto vectors = test::vector_json("primitives/challenges.json");
    for (const auto& item : vectors.at("porep"))
      check(item, sector_shape(item.at("sector_size").get<u64>()),
            ChallengeSource{node_of_hex(item.at("replica_id")), node_of_hex(item.at("comm_r")),
                            node_of_hex(item.at("seed"))});
  }
};

TEST_F(PorepChallenges, AreThoseOfTheVectors) {
  for_each_case([](const auto& item, const SectorShape& shape, const ChallengeSource& source) {
    for (const auto& [variant, name] :
         {std::pair{SealVariant::v1_1, "interactive"}, {SealVariant::synthetic, "synthetic"}})
      for (u32 partition = 0; partition < item.at(name).size(); ++partition)
        EXPECT_EQ(porep_challenges({variant, &shape}, source, partition),
                  item.at(name)[partition].template get<std::vector<u64>>());
  });
}

TEST_F(PorepChallenges, NonInteractive) {
  for_each_case([](const auto& item, const SectorShape& shape, const ChallengeSource& source) {
    const SealProof proof{SealVariant::non_interactive, &shape};
    EXPECT_EQ(proof.challenges().partitions, item.at("non_interactive_partitions"));
    std::vector<u64> all;
    for (u32 partition = 0; partition < proof.challenges().partitions; ++partition)
      for (const u64 node : porep_challenges(proof, source, partition)) all.push_back(node);
    EXPECT_EQ(digest_of(all), item.at("non_interactive_sha256_of_u32_le"));
  });
}

TEST_F(PorepChallenges, SyntheticSet) {
  for_each_case([](const auto& item, const SectorShape& shape, const ChallengeSource& source) {
    const auto set = synthetic_set(shape, source.replica_id, source.comm_r);
    EXPECT_EQ(set.size(), item.at("synthetic_set").at("count"));
    EXPECT_EQ(digest_of(set), item.at("synthetic_set").at("sha256_of_u32_le"));
  });
}

}  // namespace
}  // namespace cuzk::filecoin
