#include "filecoin/seal_proof.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/hex.h"
#include "support/vectors.h"

namespace cuzk::filecoin {
namespace {

TEST(SealProof, NumbersAndNamesGoBothWays) {
  for (u64 number = 0; number < 20; ++number) {
    const SealProof proof = SealProof::from_number(number);
    EXPECT_EQ(proof.number(), number);
    EXPECT_EQ(SealProof::from_name(proof.name()).number(), number);
  }
  EXPECT_EQ(SealProof::from_number(8).name(), "StackedDrg32GiBV1_1");
  EXPECT_EQ(SealProof::from_number(8).size_tag(), "StackedDrg32GiBV1");
  EXPECT_THROW(SealProof::from_number(20), Error);
  EXPECT_THROW(SealProof::from_name("StackedDrg3KiBV1_1"), Error);
}

TEST(SealProof, IsThatOfTheSectors) {
  for (const char* folder : {"2KiB/s1-v1", "2KiB/s2-v1_1", "2KiB/s3-synth", "2KiB/s4-ni", "4KiB/s1-v1_1", "16KiB/s3-v1",
                             "32KiB/s1-v1_1", "8MiB/s1-v1_1", "8MiB/s3-v1", "512MiB/s1-v1_1"}) {
    const auto sector = test::vector_json(std::string("sectors/") + folder + "/sector.json");
    const SealProof proof = SealProof::from_name(sector.at("registered_proof").get<std::string>());
    EXPECT_EQ(to_hex(proof.porep_id()), sector.at("porep_id"));
    EXPECT_EQ(proof.challenges().partitions, sector.at("partitions"));
    EXPECT_EQ(proof.challenges().per_partition, sector.at("challenges_per_partition"));
    EXPECT_EQ(proof.shape->layers, sector.at("layers"));
    EXPECT_EQ(fmt::format("1.{}.0", static_cast<int>(proof.api_version())), sector.at("api_version"));
    EXPECT_EQ(proof.shape->official, sector.at("registered_proof_official"));
  }
}

}  // namespace
}  // namespace cuzk::filecoin
