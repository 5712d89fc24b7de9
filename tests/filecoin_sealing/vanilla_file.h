/// The files in which the vectors keep several vanilla proofs.
#pragma once

#include <string>
#include <vector>

#include "base/types.h"

namespace cuzk::filecoin {

/// How many, then each one's length and bytes; numbers are u32, little-endian.
inline std::vector<u8> vanilla_file(const std::vector<std::string>& proofs) {
  std::vector<u8> file;
  const auto append = [&](std::size_t value) {
    for (std::size_t i = 0; i < 4; ++i) file.push_back(static_cast<u8>(value >> (8 * i)));
  };
  append(proofs.size());
  for (const std::string& proof : proofs) {
    append(proof.size());
    file.insert(file.end(), proof.begin(), proof.end());
  }
  return file;
}

}  // namespace cuzk::filecoin
