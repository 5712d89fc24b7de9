#include "filecoin/sealing/sector_update.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "filecoin/sealing/vanilla_writer.h"
#include "filecoin_sealing/sealed_sectors.h"

namespace cuzk::filecoin {
namespace {

std::string replica_sha256(const UpdatedSector& sector) {
  Sha256 hash;
  for (const Fr& node : sector.replica_tree().level(0)) hash.update(node.to_bytes());
  return to_hex(hash.finish());
}

void check_update_case(const std::string& size, const std::string& name) {
  const auto& item = test::vector_json("update/" + size + "/" + name + "/case.json");
  const SealedSector& key = sealed_sector(size + "/" + item.at("sector_key").get<std::string>());
  const SectorShape& shape = *key.identity().proof.shape;
  const UpdatedSector updated(key, piece_of(shape, item.at("new_piece")), ThreadPool::shared());
  EXPECT_EQ(replica_sha256(updated), item.at("new_replica_sha256")) << size << name;
  const VanillaUpdate update = updated.prove();
  EXPECT_EQ(hex_of(update.comm_r_old), item.at("comm_r_old")) << size << name;
  EXPECT_EQ(hex_of(update.comm_d_new), item.at("comm_d_new")) << size << name;
  EXPECT_EQ(hex_of(update.comm_r_new), item.at("comm_r_new")) << size << name;
  EXPECT_NO_THROW(check_update(update, ThreadPool::shared())) << size << name;
  const auto proofs = encode_update(update);
  ASSERT_EQ(proofs.size(), item.at("partition_proofs").size()) << size << name;
  for (std::size_t k = 0; k < proofs.size(); ++k) {
    const auto& expected = item.at("partition_proofs")[k];
    EXPECT_EQ(proofs[k].size(), expected.at("bytes")) << size << name;
    EXPECT_EQ(to_hex(sha256(bytes_of(proofs[k]))), expected.at("sha256")) << size << name << ", partition " << k;
  }
}

TEST(SectorUpdate, PartitionProofsAreThoseOfTheVectors) {
  for (const std::string size : {"2KiB", "4KiB", "16KiB", "32KiB"})
    for (const std::string name : {"from-zero", "from-data"}) check_update_case(size, name);
  check_update_case("2KiB", "zero-to-zero");
}

/// Some seconds of all processors: run with --gtest_also_run_disabled_tests.
TEST(SectorUpdate, DISABLED_PartitionProofsOfEightMebibytesAreThoseOfTheVectors) {
  for (const std::string name : {"from-zero", "from-data"}) check_update_case("8MiB", name);
}

TEST(SectorUpdate, RefusesPiecesThatDoNotFit) {
  EXPECT_THROW(UpdatedSector(sealed_sector("2KiB/s1-v1"), std::vector<u8>(2033), ThreadPool::shared()), Error);
}

}  // namespace
}  // namespace cuzk::filecoin
