#include "filecoin/sealing/sparse_post.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "filecoin/sealing/vanilla_writer.h"
#include "filecoin_sealing/sealed_sectors.h"
#include "filecoin_sealing/vanilla_file.h"

namespace cuzk::filecoin {
namespace {

void check_sparse_post(const std::string& name, const PostProof& proof, u32 sectors) {
  const auto& item = test::vector_json("sparse/" + name + ".meta.json");
  ASSERT_EQ(item.at("registered_proof"), proof.name());
  const VanillaPost post =
      sparse_post(proof, item.at("master_seed_text").get<std::string>(), sectors, ThreadPool::shared());
  EXPECT_EQ(to_hex(post.randomness), item.at("randomness"));
  for (u32 i = 0; i < sectors; ++i) {
    EXPECT_EQ(post.sectors[i].number, item.at("sectors")[i][0]);
    EXPECT_EQ(hex_of(post.sectors[i].comm_r), item.at("sectors")[i][1]);
  }
  EXPECT_EQ(to_hex(sha256(vanilla_file(encode_post(post)))), item.at("vanilla_file_sha256"));
}

TEST(SparsePost, WinningIsThatOfTheVectors) {
  check_sparse_post("winning-32g", {PostKind::winning, ApiVersion::v1_0, &sector_shape("32g")}, 1);
}

TEST(SparsePost, WindowIsThatOfTheVectors) {
  check_sparse_post("window-32g", {PostKind::window, ApiVersion::v1_2, &sector_shape("32g")}, 3);
}

TEST(SparsePost, EveryShapePassesTheNativeChecks) {
  for (const SectorShape& shape : sector_shapes()) {
    const VanillaPost post = sparse_post({PostKind::window, ApiVersion::v1_0, &shape}, "any", 3, ThreadPool::shared());
    EXPECT_NO_THROW(check_post(post, ThreadPool::shared())) << shape.name;
    const VanillaPost again = decode_post({post.proof, post.randomness}, encode_post(post));
    EXPECT_NO_THROW(check_post(again, ThreadPool::shared())) << shape.name;
  }
}

TEST(SparsePost, RefusesOtherCounts) {
  const PostProof winning{PostKind::winning, ApiVersion::v1_0, &sector_shape("2k")};
  EXPECT_THROW(sparse_post(winning, "any", 0, ThreadPool::shared()), Error);
  EXPECT_THROW(sparse_post(winning, "any", 2, ThreadPool::shared()), Error);
}

}  // namespace
}  // namespace cuzk::filecoin
