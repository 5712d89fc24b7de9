/// Sealed sectors of the vectors, for tests.
#pragma once

#include <string>
#include <vector>

#include "base/hex.h"
#include "filecoin/node.h"
#include "support/vectors.h"

namespace cuzk::filecoin {

inline const std::vector<std::string> kSectorFolders{
    "2KiB/s1-v1",         "2KiB/s2-v1_1", "2KiB/s3-synth", "2KiB/s4-ni",         "2KiB/s5-zero", "4KiB/s1-v1_1",
    "4KiB/s2-v1-zero",    "4KiB/s3-v1_1", "16KiB/s1-v1_1", "16KiB/s2-v1_1-zero", "16KiB/s3-v1",  "32KiB/s1-v1_1",
    "32KiB/s2-v1_1-zero", "32KiB/s3-v1",  "8MiB/s1-v1_1",  "8MiB/s2-v1_1-zero",  "8MiB/s3-v1",   "512MiB/s1-v1_1"};

inline Node node_of_hex(const nlohmann::json& text) {
  const auto bytes = from_hex(text.get<std::string>());
  Node node;
  std::copy(bytes.begin(), bytes.end(), node.begin());
  return node;
}

inline std::string c1_of(const std::string& folder) { return test::vector_text("sectors/" + folder + "/c1.json.xz"); }

inline nlohmann::json sector_of(const std::string& folder) {
  return test::vector_json("sectors/" + folder + "/sector.json");
}

}  // namespace cuzk::filecoin
