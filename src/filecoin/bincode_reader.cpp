#include "filecoin/bincode_reader.h"

#include <algorithm>

#include "base/error.h"

namespace cuzk::filecoin {
namespace {

u64 little_endian(std::span<const u8> bytes) {
  u64 value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | bytes[i];
  return value;
}

}  // namespace

std::span<const u8> BincodeReader::take(std::string_view field, std::size_t count) {
  if (count > remaining())
    throw invalid_input("{}: cannot be read: {} at offset {} needs {} bytes, {} are left", source_, field, position_,
                        count, remaining());
  const auto taken = bytes_.subspan(position_, count);
  position_ += count;
  return taken;
}

u32 BincodeReader::read_tag(std::string_view field, u32 limit) {
  const std::size_t offset = position_;
  const u32 tag = static_cast<u32>(little_endian(take(field, 4)));
  if (tag >= limit)
    throw invalid_input("{}: cannot be read: {} at offset {} has the variant {}, expected one below {}", source_, field,
                        offset, tag, limit);
  return tag;
}

u64 BincodeReader::read_u64(std::string_view field) { return little_endian(take(field, 8)); }

Node BincodeReader::read_node(std::string_view field) {
  const auto bytes = take(field, 32);
  Node node;
  std::copy(bytes.begin(), bytes.end(), node.begin());
  return node;
}

std::size_t BincodeReader::read_length(std::string_view field, std::size_t item_bytes) {
  const std::size_t offset = position_;
  const u64 length = read_u64(field);
  if (length > remaining() / item_bytes)
    throw invalid_input(
        "{}: cannot be read: {} at offset {} announces {} items of at least {} bytes, {} bytes are left", source_,
        field, offset, length, item_bytes, remaining());
  return static_cast<std::size_t>(length);
}

}  // namespace cuzk::filecoin
