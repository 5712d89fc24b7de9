/// The counts of key files: big-endian u32.
#pragma once

#include <array>
#include <span>

#include "base/types.h"

namespace cuzk::groth16 {

inline constexpr std::size_t kCountBytes = 4;

inline std::array<u8, kCountBytes> count_to_bytes(u32 count) {
  return {static_cast<u8>(count >> 24), static_cast<u8>(count >> 16), static_cast<u8>(count >> 8),
          static_cast<u8>(count)};
}

inline u32 count_from_bytes(std::span<const u8, kCountBytes> bytes) {
  return static_cast<u32>(bytes[0]) << 24 | static_cast<u32>(bytes[1]) << 16 | static_cast<u32>(bytes[2]) << 8 |
         static_cast<u32>(bytes[3]);
}

}  // namespace cuzk::groth16
