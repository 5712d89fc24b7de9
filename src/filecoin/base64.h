/// Strict base64 (RFC 4648, section 4): the standard alphabet, padding where it belongs, unused bits zero, nothing else
/// between or around.
///
/// Whole blocks of 32 characters go through vectors where the processor has AVX2 (Mula and Lemire, "Faster Base64
/// Encoding and Decoding using AVX2 Instructions", 2018); all others, and every fault, through tables.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/types.h"

namespace cuzk::filecoin {

/// Decodes a text piece by piece, so that the whole result need not be in memory. The text must outlive the decoder.
class Base64Decoder {
 public:
  explicit Base64Decoder(std::string_view text) : text_(text) {}

  /// Decodes into a part of `into`, of at least 64 bytes, and gives its length: 0 at the end. Throws
  /// Error{invalid_input} naming the offset of the first wrong character.
  std::size_t read(std::span<u8> into);

 private:
  std::size_t read_last(std::span<u8> into);

  std::string_view text_;
  std::size_t position_ = 0;
};

/// Decodes all of it. Throws as above.
std::vector<u8> decode_base64(std::string_view text);

/// The text of bytes.
std::string encode_base64(std::span<const u8> bytes);

}  // namespace cuzk::filecoin
