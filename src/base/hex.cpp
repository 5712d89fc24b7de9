#include "base/hex.h"

#include "base/error.h"

namespace cuzk {
namespace {

u8 digit_value(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (c >= '0' && c <= '9') return static_cast<u8>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<u8>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<u8>(c - 'A' + 10);
  throw invalid_input("hexadecimal text: character {} (0x{:02x}) is not a hexadecimal digit", at, static_cast<u8>(c));
}

}  // namespace

std::string to_hex(std::span<const u8> bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text(2 * bytes.size(), '0');
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    text[2 * i] = digits[bytes[i] >> 4];
    text[2 * i + 1] = digits[bytes[i] & 15];
  }
  return text;
}

std::vector<u8> from_hex(std::string_view text) {
  if (text.size() % 2 != 0) throw invalid_input("hexadecimal text: odd length {}", text.size());
  std::vector<u8> bytes(text.size() / 2);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<u8>(digit_value(text, 2 * i) << 4 | digit_value(text, 2 * i + 1));
  return bytes;
}

}  // namespace cuzk
