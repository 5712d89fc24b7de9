/// Lower-case hexadecimal text of bytes, and back.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"

namespace cuzk {

std::string to_hex(std::span<const u8> bytes);

/// Throws Error{invalid_input} naming the first wrong character, or an odd length.
std::vector<u8> from_hex(std::string_view text);

}  // namespace cuzk
