/// Golden keys that a test makes to look at them, left for those that only use them (tests/support/take_keys.py).
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "groth16/setup.h"

namespace cuzk::test {

inline void keep_file(const std::filesystem::path& file, const std::filesystem::path& kept) {
  if (std::filesystem::exists(kept)) return;
  const std::filesystem::path fresh = kept.string() + fmt::format(".{}", ::getpid());
  std::filesystem::copy_file(file, fresh);
  std::filesystem::rename(fresh, kept);
}

/// Copies a key under the names that programs look for into the folder $CUZK_KEPT_KEYS; without the variable nowhere.
inline void keep_key(const groth16::KeyFiles& files, const nlohmann::json& golden) {
  const char* folder = std::getenv("CUZK_KEPT_KEYS");
  if (folder == nullptr) return;
  std::filesystem::create_directories(folder);
  keep_file(files.vk, std::filesystem::path(folder) / golden["vk_file"].get<std::string>());
  keep_file(files.params, std::filesystem::path(folder) / golden["params_file"].get<std::string>());
}

}  // namespace cuzk::test
