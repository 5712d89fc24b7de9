/// Development keys that are made once for all builds, in CUZK_KEPT_KEYS.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "apps/process.h"

namespace cuzk::server {

inline test::Outcome cuzk(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), CUZK_PROGRAM);
  return test::run(arguments);
}

inline void must(const std::vector<std::string>& arguments) {
  const auto outcome = cuzk(arguments);
  ASSERT_EQ(outcome.status, 0) << arguments[0] << ": " << outcome.err;
}

inline bool has_key(const std::filesystem::path& directory, const std::string& circuit) {
  const auto outcome = cuzk({"keys", "list", "--json", "--keys", directory});
  return outcome.out.find("\"circuit\":\"" + circuit + "\"") != std::string::npos;
}

/// Puts the key of a circuit into `directory`; it is made where nobody has before.
inline void take_key(const std::string& circuit, const std::filesystem::path& directory) {
  namespace fs = std::filesystem;
  const fs::path kept = CUZK_KEPT_KEYS;
  fs::create_directories(kept);
  if (!has_key(kept, circuit)) {
    const fs::path fresh = kept / ("new." + std::to_string(::getpid()));
    must({"setup", circuit, "--out", fresh});
    for (const auto& file : fs::directory_iterator(fresh)) fs::rename(file, kept / file.path().filename());
    fs::remove(fresh);
  }
  for (const auto& file : fs::directory_iterator(kept)) {
    const auto link = directory / file.path().filename();
    if (!fs::exists(link)) fs::create_symlink(file, link);
  }
}

}  // namespace cuzk::server
