#include "filecoin/sealing/sparse_update.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "filecoin/sealing/vanilla_writer.h"
#include "filecoin_sealing/sealed_sectors.h"
#include "filecoin_sealing/vanilla_file.h"

namespace cuzk::filecoin {
namespace {

void check_sparse_update(const std::string& name, SparseData data) {
  const auto& item = test::vector_json("sparse/" + name + ".meta.json");
  const VanillaUpdate update =
      sparse_update(sector_shape("32g"), item.at("master_seed_text").get<std::string>(), data, ThreadPool::shared());
  EXPECT_EQ(hex_of(update.comm_r_old), item.at("comm_r_old"));
  EXPECT_EQ(hex_of(update.comm_d_new), item.at("comm_d_new"));
  EXPECT_EQ(hex_of(update.comm_r_new), item.at("comm_r_new"));
  EXPECT_EQ(to_hex(sha256(vanilla_file(encode_update(update)))), item.at("vanilla_file_sha256"));
}

TEST(SparseUpdate, FilledSectorIsThatOfTheVectors) { check_sparse_update("snap-32g", SparseData::filled); }

TEST(SparseUpdate, SectorOfZerosIsThatOfTheVectors) { check_sparse_update("snap-32g-zero", SparseData::zero); }

TEST(SparseUpdate, OtherShapesPassTheNativeChecks) {
  for (const std::string_view name : {"2k", "4k", "16k", "32k", "8m", "16m", "64g"}) {
    const SectorShape& shape = sector_shape(name);
    const VanillaUpdate update = sparse_update(shape, "any", SparseData::filled, ThreadPool::shared());
    const auto bytes = [](const Fr& element) { return element.to_bytes(); };
    const auto old = bytes(update.comm_r_old), data = bytes(update.comm_d_new), fresh = bytes(update.comm_r_new);
    const VanillaUpdate again = decode_update({shape, old, data, fresh}, encode_update(update));
    EXPECT_NO_THROW(check_update(again, ThreadPool::shared())) << shape.name;
  }
}

TEST(SparseUpdate, RefusesSizesWithoutUpdates) {
  EXPECT_THROW(sparse_update(sector_shape("1g"), "any", SparseData::zero, ThreadPool::shared()), Error);
}

}  // namespace
}  // namespace cuzk::filecoin
