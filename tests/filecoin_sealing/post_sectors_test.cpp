#include "filecoin/sealing/post_sectors.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.h"
#include "filecoin/sealing/vanilla_writer.h"
#include "filecoin_sealing/sealed_sectors.h"

namespace cuzk::filecoin {
namespace {

PostProof proof_of(const nlohmann::json& item) {
  const bool winning = item.at("type") == "winning", late = item.at("api_version") == "1.2.0";
  return {winning ? PostKind::winning : PostKind::window, late ? ApiVersion::v1_2 : ApiVersion::v1_0,
          &sector_shape(item.at("sector_size").get<u64>())};
}

void check_post_case(const std::string& size, const std::string& name) {
  const std::string folder = "post/" + size + "/" + name;
  const auto& item = test::vector_json(folder + "/case.json");
  std::vector<const SealedSector*> sectors;
  for (const auto& sector : item.at("sectors"))
    sectors.push_back(&sealed_sector(size + "/" + sector.at("sealed_as").get<std::string>()));
  const VanillaPost post = prove_post(proof_of(item), node_of_hex(item.at("randomness")), sectors);
  EXPECT_NO_THROW(check_post(post, ThreadPool::shared())) << folder;
  const auto proofs = encode_post(post);
  for (std::size_t i = 0; i < proofs.size(); ++i) {
    EXPECT_EQ(proofs[i].size(), item.at("sectors")[i].at("bytes")) << folder;
    EXPECT_EQ(to_hex(sha256(bytes_of(proofs[i]))), item.at("sectors")[i].at("sha256")) << folder << ", sector " << i;
  }
}

std::size_t check_all(const std::string& size) {
  std::size_t cases = 0;
  for (const auto& folder : std::filesystem::directory_iterator(test::vector_path("post/" + size))) {
    check_post_case(size, folder.path().filename().string());
    ++cases;
  }
  return cases;
}

TEST(PostSectors, VanillaProofsAreThoseOfTheVectors) {
  for (const std::string size : {"2KiB", "4KiB", "16KiB", "32KiB"}) EXPECT_GE(check_all(size), 10u) << size;
}

/// Some seconds of all processors: run with --gtest_also_run_disabled_tests.
TEST(PostSectors, DISABLED_VanillaProofsOfEightMebibytesAreThoseOfTheVectors) { EXPECT_GE(check_all("8MiB"), 3u); }

TEST(PostSectors, RefusesOtherSizesAndCounts) {
  const SealedSector& sector = sealed_sector("2KiB/s1-v1");
  const std::vector<const SealedSector*> one{&sector}, two{&sector, &sector};
  const PostProof winning{PostKind::winning, ApiVersion::v1_0, sector.identity().proof.shape};
  const PostProof other{PostKind::window, ApiVersion::v1_2, &sector_shape("8m")};
  EXPECT_THROW(prove_post(winning, {}, two), Error);
  EXPECT_THROW(prove_post(winning, {}, {}), Error);
  EXPECT_THROW(prove_post(other, {}, one), Error);
}

}  // namespace
}  // namespace cuzk::filecoin
