/// A node of a sector or of one of its trees: 32 bytes. Read little-endian it is a field element, below the modulus.
#pragma once

#include <vector>

#include "base/types.h"
#include "hash/sha256.h"

namespace cuzk::filecoin {

using Node = Digest;

inline constexpr std::size_t kNodeBytes = 32;

}  // namespace cuzk::filecoin
