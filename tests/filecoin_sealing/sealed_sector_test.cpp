#include "filecoin/sealing/sealed_sector.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "filecoin/sealing/c1_writer.h"
#include "filecoin_sealing/sealed_sectors.h"

namespace cuzk::filecoin {
namespace {

const std::vector<std::string> kSmall{"2KiB/s1-v1",         "2KiB/s2-v1_1",       "2KiB/s3-synth",   "2KiB/s4-ni",
                                      "2KiB/s5-zero",       "4KiB/s1-v1_1",       "4KiB/s2-v1-zero", "4KiB/s3-v1_1",
                                      "16KiB/s1-v1_1",      "16KiB/s2-v1_1-zero", "16KiB/s3-v1",     "32KiB/s1-v1_1",
                                      "32KiB/s2-v1_1-zero", "32KiB/s3-v1"};

void append(std::vector<u8>& bytes, const Node& node) { bytes.insert(bytes.end(), node.begin(), node.end()); }
void append(std::vector<u8>& bytes, const Fr& element) { append(bytes, element.to_bytes()); }

template <class Values>
std::vector<u8> bytes_of_all(const Values& values) {
  std::vector<u8> bytes;
  for (const auto& value : values) append(bytes, value);
  return bytes;
}

/// Rows of base tree number `tree` of `trees`, from a level up to its root.
template <class Tree>
std::vector<u8> base_tree_bytes(const Tree& source, std::size_t tree, std::size_t trees, std::size_t from,
                                std::size_t levels) {
  std::vector<u8> bytes;
  for (std::size_t level = from; level <= levels; ++level) {
    const auto row = source.level(level);
    const std::size_t length = row.size() / trees;
    for (const auto& value : row.subspan(tree * length, length)) append(bytes, value);
  }
  return bytes;
}

/// The number at the end of a name such as "sc-02-data-tree-c-11.dat"; 0 where there is none.
std::size_t number_in(const std::string& file) {
  const std::size_t dash = file.rfind('-');
  return std::isdigit(static_cast<unsigned char>(file[dash + 1])) ? std::stoul(file.substr(dash + 1)) : 0;
}

/// The bytes of one of the files that a sealing pipeline keeps. Of tree R-last it leaves out the replica and two rows.
std::vector<u8> file_of(const SealedSector& sector, const std::string& file) {
  const SectorShape& shape = *sector.identity().proof.shape;
  const auto& commitments = sector.commitments();
  if (file == "p_aux") return bytes_of_all(std::vector{commitments.comm_c, commitments.comm_r_last});
  if (file == "staged") return bytes_of_all(sector.data_tree().level(0));
  if (file == "sealed") return bytes_of_all(sector.replica_tree().level(0));
  if (file.starts_with("sc-02-data-layer-")) return bytes_of_all(sector.layer(static_cast<u32>(number_in(file))));
  if (file.starts_with("sc-02-data-tree-d")) return base_tree_bytes(sector.data_tree(), 0, 1, 0, shape.log2_nodes());
  const std::size_t levels = shape.base_levels(), trees = shape.base_trees();
  if (file.starts_with("sc-02-data-tree-c"))
    return base_tree_bytes(sector.column_tree(), number_in(file), trees, 0, levels);
  const std::size_t first = std::min<std::size_t>(3, levels);
  return base_tree_bytes(sector.replica_tree(), number_in(file), trees, first, levels);
}

void check_files(const SealedSector& sector, const nlohmann::json& item) {
  for (const auto& entry : item.at("files")) {
    const std::string name = entry.at("file");
    if (name.starts_with("syn-porep")) continue;  // proofs, not a part of the sector
    const auto bytes = file_of(sector, name);
    EXPECT_EQ(bytes.size(), entry.at("bytes")) << name;
    EXPECT_EQ(to_hex(sha256(bytes)), entry.at("sha256")) << name;
  }
}

void check_sector(const std::string& folder) {
  const auto& item = test::vector_json("sectors/" + folder + "/sector.json");
  const SealedSector& sector = sealed_sector(folder);
  const auto& commitments = sector.commitments();
  EXPECT_EQ(to_hex(commitments.replica_id), item.at("replica_id")) << folder;
  EXPECT_EQ(to_hex(commitments.comm_d), item.at("comm_d")) << folder;
  EXPECT_EQ(hex_of(commitments.comm_c), item.at("comm_c")) << folder;
  EXPECT_EQ(hex_of(commitments.comm_r_last), item.at("comm_r_last")) << folder;
  EXPECT_EQ(hex_of(commitments.comm_r), item.at("comm_r")) << folder;
  for (const auto& label : item.at("labels"))
    EXPECT_EQ(to_hex(sector.layer(label.at("layer"))[label.at("node")]), label.at("label")) << folder;
  check_files(sector, item);
}

TEST(SealedSector, SmallSectorsAreThoseOfTheVectors) {
  for (const std::string& folder : kSmall) check_sector(folder);
}

/// Some seconds of all processors: run with --gtest_also_run_disabled_tests.
TEST(SealedSector, DISABLED_SectorsOfEightMebibytesAreThoseOfTheVectors) {
  for (const std::string folder : {"8MiB/s1-v1_1", "8MiB/s2-v1_1-zero", "8MiB/s3-v1"}) check_sector(folder);
}

/// Some minutes of all processors and 5 GB of memory: run with --gtest_also_run_disabled_tests.
TEST(SealedSector, DISABLED_TheSectorOf512MebibytesIsThatOfTheVectors) {
  check_sector("512MiB/s1-v1_1");
  const auto& item = test::vector_json("sectors/512MiB/s1-v1_1/sector.json");
  const auto phase1 = phase1_json(sealed_sector("512MiB/s1-v1_1"), node_of_hex(item.at("seed")), ThreadPool::shared());
  EXPECT_EQ(to_hex(sha256(bytes_of(phase1))), item.at("c1_phase1_json").at("sha256"));
}

TEST(SealedSector, OneThreadMakesTheSameSector) {
  const SealedSector& expected = sealed_sector("4KiB/s1-v1_1");
  const auto& item = test::vector_json("sectors/4KiB/s1-v1_1/sector.json");
  ThreadPool one(1);
  const SealedSector sector(expected.identity(), piece_of(*expected.identity().proof.shape, item.at("piece")), one);
  EXPECT_EQ(sector.commitments().comm_r, expected.commitments().comm_r);
}

TEST(SealedSector, RefusesPiecesAndSizesThatDoNotFit) {
  const SealProof small = SealProof::from_name("StackedDrg2KiBV1_1"), big = SealProof::from_name("StackedDrg32GiBV1_1");
  EXPECT_THROW(SealedSector({small, 1000, 1, {}}, std::vector<u8>(2033), ThreadPool::shared()), Error);
  EXPECT_THROW(SealedSector({big, 1000, 1, {}}, {}, ThreadPool::shared()), Error);
}

TEST(SealedSector, TellsItsProgressToTheEnd) {
  u64 last = 0, total = 1;
  const ProgressCallback callback = [&](const ProgressUpdate& update) {
    if (update.stage == "labels") last = update.done, total = update.total;
  };
  const SealProof proof = SealProof::from_name("StackedDrg2KiBV1_1");
  const SealedSector sector({proof, 1000, 1, {}}, zero_piece(*proof.shape), ThreadPool::shared(), callback);
  EXPECT_EQ(total, 128u);
  EXPECT_EQ(last, total);
}

}  // namespace
}  // namespace cuzk::filecoin
