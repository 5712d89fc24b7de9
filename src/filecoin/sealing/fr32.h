/// fr32: the padding that turns a client's bytes into field elements.
///
/// Node i of 32 bytes takes the bits [254 i, 254 (i + 1)) of the data, least significant bit first; its two top bits
/// are zero. So 127 bytes become 128.
#pragma once

#include <span>
#include <vector>

#include "base/types.h"

namespace cuzk::filecoin {

/// Whole nodes, zeros at the end: 32 * ceil(8 * data.size() / 254) bytes.
std::vector<u8> fr32_pad(std::span<const u8> data);

/// The inverse: every whole byte of 254 bits of each node. padded.size() must be a multiple of 32.
std::vector<u8> fr32_unpad(std::span<const u8> padded);

}  // namespace cuzk::filecoin
