/// Reads bincode 1.3 with its fixed-width integers: little-endian, lengths as u64, enum tags as u32.
///
/// Every length is compared with the bytes that are left before anything is stored, so that a length that lies costs
/// nothing. Errors are Error{invalid_input}, "<source>: cannot be read: ...", with the field and the offset. Bytes behind
/// the end are nobody's business: the published reader ignores them too.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/types.h"
#include "filecoin/node.h"

namespace cuzk::filecoin {

class BincodeReader {
 public:
  /// source: what the bytes are, for messages, such as "vanilla proof 3".
  BincodeReader(std::span<const u8> bytes, std::string source) : bytes_(bytes), source_(std::move(source)) {}

  u32 read_tag(std::string_view field, u32 limit);  ///< below limit
  u64 read_u64(std::string_view field);
  Node read_node(std::string_view field);

  /// A length whose items take at least item_bytes each; at most what the bytes left can hold.
  std::size_t read_length(std::string_view field, std::size_t item_bytes);

  std::size_t remaining() const { return bytes_.size() - position_; }
  const std::string& source() const { return source_; }

 private:
  std::span<const u8> take(std::string_view field, std::size_t count);

  std::span<const u8> bytes_;
  std::size_t position_ = 0;
  std::string source_;
};

}  // namespace cuzk::filecoin
