#include "filecoin/sealing/c1_writer.h"

#include <gtest/gtest.h>

#include "filecoin/c1_decoder.h"
#include "filecoin/porep_check.h"
#include "filecoin_sealing/sealed_sectors.h"

namespace cuzk::filecoin {
namespace {

void check_request(const std::string& folder) {
  const auto& item = test::vector_json("sectors/" + folder + "/sector.json");
  const SealedSector& sector = sealed_sector(folder);
  const std::string body = c1_json(sector, node_of_hex(item.at("seed")), ThreadPool::shared());
  EXPECT_TRUE(body == test::vector_text("sectors/" + folder + "/c1.json.xz")) << folder;
  EXPECT_NO_THROW(check_porep(decode_c1(body), item.at("miner_id"), ThreadPool::shared())) << folder;
}

TEST(C1Writer, RequestsAreThoseOfTheVectors) {
  for (const std::string folder :
       {"2KiB/s1-v1", "2KiB/s2-v1_1", "2KiB/s3-synth", "2KiB/s4-ni", "2KiB/s5-zero", "4KiB/s1-v1_1", "4KiB/s2-v1-zero",
        "4KiB/s3-v1_1", "16KiB/s1-v1_1", "16KiB/s2-v1_1-zero", "16KiB/s3-v1", "32KiB/s1-v1_1", "32KiB/s2-v1_1-zero",
        "32KiB/s3-v1"})
    check_request(folder);
}

TEST(C1Writer, Phase1HasTheDigestOfTheVectors) {
  const auto& item = test::vector_json("sectors/2KiB/s2-v1_1/sector.json");
  const std::string text =
      phase1_json(sealed_sector("2KiB/s2-v1_1"), node_of_hex(item.at("seed")), ThreadPool::shared());
  EXPECT_EQ(text.size(), item.at("c1_phase1_json").at("bytes"));
  EXPECT_EQ(to_hex(sha256(bytes_of(text))), item.at("c1_phase1_json").at("sha256"));
}

/// Some seconds of all processors: run with --gtest_also_run_disabled_tests.
TEST(C1Writer, DISABLED_RequestsOfEightMebibytesAreThoseOfTheVectors) {
  for (const std::string folder : {"8MiB/s1-v1_1", "8MiB/s2-v1_1-zero", "8MiB/s3-v1"}) check_request(folder);
}

}  // namespace
}  // namespace cuzk::filecoin
