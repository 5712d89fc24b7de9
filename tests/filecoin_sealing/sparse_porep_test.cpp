#include "filecoin/sealing/sparse_porep.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "filecoin/c1_decoder.h"
#include "filecoin/porep_check.h"
#include "filecoin/sealing/c1_writer.h"
#include "filecoin_sealing/sealed_sectors.h"

namespace cuzk::filecoin {
namespace {

void check_sparse_porep(const std::string& name) {
  const auto& item = test::vector_json("sparse/" + name + ".meta.json");
  const bool zero = node_of_hex(item.at("data_node")) == Node{};
  const SparsePorep sector(
      {SealProof::from_name(item.at("registered_proof").get<std::string>()), item.at("master_seed_text"),
       item.at("miner_id"), item.at("sector_number"), zero ? SparseData::zero : SparseData::filled},
      ThreadPool::shared());
  const auto& commitments = sector.commitments();
  EXPECT_EQ(to_hex(sector.seed()), item.at("seed"));
  EXPECT_EQ(to_hex(commitments.comm_d), item.at("comm_d"));
  EXPECT_EQ(to_hex(commitments.replica_id), item.at("replica_id"));
  EXPECT_EQ(hex_of(commitments.comm_c), item.at("comm_c"));
  EXPECT_EQ(hex_of(commitments.comm_r_last), item.at("comm_r_last"));
  EXPECT_EQ(hex_of(commitments.comm_r), item.at("comm_r"));
  const std::string body = c1_json(sector, sector.seed(), ThreadPool::shared());
  EXPECT_EQ(body.size(), item.at("c1_json_bytes"));
  EXPECT_EQ(to_hex(sha256(bytes_of(body))), item.at("c1_json_sha256"));
}

TEST(SparsePorep, SectorOfTwoKibibytesIsThatOfTheVectors) { check_sparse_porep("porep-2k"); }

TEST(SparsePorep, SectorOf32GibibytesIsThatOfTheVectors) { check_sparse_porep("porep-32g"); }

TEST(SparsePorep, EveryOtherShapePassesTheNativeChecks) {
  for (const std::string name : {"StackedDrg4KiBV1_1", "StackedDrg32KiBV1", "StackedDrg512MiBV1_1"}) {
    const SparsePorep sector({SealProof::from_name(name), "shape " + name, 1234, 77, SparseData::filled},
                             ThreadPool::shared());
    const auto porep = decode_c1(c1_json(sector, sector.seed(), ThreadPool::shared()));
    EXPECT_NO_THROW(check_porep(porep, 1234, ThreadPool::shared())) << name;
  }
}

/// Some seconds of all processors: run with --gtest_also_run_disabled_tests.
TEST(SparsePorep, DISABLED_SectorOf64GibibytesPassesTheNativeChecks) {
  for (const std::string name : {"StackedDrg64GiBV1_1", "StackedDrg64GiBV1"}) {
    const SparsePorep sector({SealProof::from_name(name), name}, ThreadPool::shared());
    const auto porep = decode_c1(c1_json(sector, sector.seed(), ThreadPool::shared()));
    EXPECT_NO_THROW(check_porep(porep, kSparseMiner, ThreadPool::shared())) << name;
  }
}

TEST(SparsePorep, RefusesVariantsWhoseChallengesDependOnTheTrees) {
  for (const SealVariant variant : {SealVariant::synthetic, SealVariant::non_interactive})
    EXPECT_THROW(SparsePorep({{variant, &sector_shape("2k")}, "seed"}, ThreadPool::shared()), Error);
}

}  // namespace
}  // namespace cuzk::filecoin
