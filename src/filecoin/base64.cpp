#include "filecoin/base64.h"

#include <algorithm>
#include <array>

#include "base/error.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace cuzk::filecoin {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr u32 kWrong = 1u << 31;

/// Value of each character, kWrong for those outside the alphabet.
constexpr std::array<u32, 256> kValues = [] {
  std::array<u32, 256> values{};
  values.fill(kWrong);
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) values[static_cast<u8>(kAlphabet[i])] = static_cast<u32>(i);
  return values;
}();

u32 value_of(char character) { return kValues[static_cast<u8>(character)]; }

/// The 24 bits of four characters, with kWrong where one is outside the alphabet.
u32 group_of(const char* text) {
  return value_of(text[0]) << 18 | value_of(text[1]) << 12 | value_of(text[2]) << 6 | value_of(text[3]) |
         ((value_of(text[0]) | value_of(text[1]) | value_of(text[2]) | value_of(text[3])) & kWrong);
}

void store_group(u32 group, u8* into) {
  into[0] = static_cast<u8>(group >> 16);
  into[1] = static_cast<u8>(group >> 8);
  into[2] = static_cast<u8>(group);
}

[[noreturn]] void throw_wrong_character(std::string_view text, std::size_t begin) {
  while (begin < text.size() && value_of(text[begin]) != kWrong) ++begin;
  throw invalid_input("base64: the character at offset {} is not of the alphabet", begin);
}

#ifdef __AVX2__
constexpr std::size_t kBlockCharacters = 32, kBlockBytes = 24;

__m256i table(const std::array<signed char, 16>& entries) {
  return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(entries.data())));
}

/// Decodes 32 characters into 24 bytes and 8 of filling; false where a character is outside the alphabet. Characters
/// are told apart by their two halves of four bits.
bool decode_block(const char* text, u8* into) {
  static constexpr std::array<signed char, 16> kLow{0x15, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11,
                                                    0x11, 0x11, 0x13, 0x1a, 0x1b, 0x1b, 0x1b, 0x1a};
  static constexpr std::array<signed char, 16> kHigh{0x10, 0x10, 0x01, 0x02, 0x04, 0x08, 0x04, 0x08,
                                                     0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10};
  static constexpr std::array<signed char, 16> kShift{0, 16, 19, 4, -65, -65, -71, -71, 0, 0, 0, 0, 0, 0, 0, 0};
  static constexpr std::array<signed char, 16> kOrder{2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1};
  const __m256i slash = _mm256_set1_epi8(0x2f);
  const __m256i characters = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text));
  const __m256i high = _mm256_and_si256(_mm256_srli_epi32(characters, 4), slash);
  const __m256i low = _mm256_and_si256(characters, slash);
  if (!_mm256_testz_si256(_mm256_shuffle_epi8(table(kLow), low), _mm256_shuffle_epi8(table(kHigh), high))) return false;
  const __m256i is_slash = _mm256_cmpeq_epi8(characters, slash);
  const __m256i shift = _mm256_shuffle_epi8(table(kShift), _mm256_add_epi8(is_slash, high));
  const __m256i values = _mm256_add_epi8(characters, shift);
  const __m256i pairs = _mm256_maddubs_epi16(values, _mm256_set1_epi32(0x01400140));
  const __m256i groups = _mm256_madd_epi16(pairs, _mm256_set1_epi32(0x00011000));
  const __m256i packed = _mm256_shuffle_epi8(groups, table(kOrder));
  const __m256i joined = _mm256_permutevar8x32_epi32(packed, _mm256_setr_epi32(0, 1, 2, 4, 5, 6, -1, -1));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(into), joined);
  return true;
}
#endif

}  // namespace

std::size_t Base64Decoder::read(std::span<u8> into) {
  if (text_.size() % 4 != 0) throw invalid_input("base64: {} characters, expected a multiple of 4", text_.size());
  const std::size_t last = text_.empty() ? 0 : text_.size() - 4;  // may hold padding
  std::size_t written = 0;
#ifdef __AVX2__
  while (position_ + kBlockCharacters <= last && written + kBlockCharacters <= into.size()) {
    if (!decode_block(text_.data() + position_, into.data() + written)) throw_wrong_character(text_, position_);
    position_ += kBlockCharacters;
    written += kBlockBytes;
  }
#endif
  while (position_ < last && written + 3 <= into.size()) {
    const u32 group = group_of(text_.data() + position_);
    if (group & kWrong) throw_wrong_character(text_, position_);
    store_group(group, into.data() + written);
    position_ += 4;
    written += 3;
  }
  if (written == 0 && position_ < text_.size()) return read_last(into);
  return written;
}

std::size_t Base64Decoder::read_last(std::span<u8> into) {
  std::array<char, 4> group{};
  std::copy_n(text_.data() + position_, 4, group.begin());
  const std::size_t padding = group[3] != '=' ? 0 : group[2] != '=' ? 1 : 2;
  for (std::size_t i = 0; i < padding; ++i) group[3 - i] = 'A';
  const u32 bits = group_of(group.data());
  if (bits & kWrong) throw_wrong_character(text_, position_);
  if ((bits & ((1u << (8 * padding)) - 1)) != 0)
    throw invalid_input("base64: the unused bits before the padding are not zero");
  std::array<u8, 3> bytes{};
  store_group(bits, bytes.data());
  std::copy_n(bytes.begin(), 3 - padding, into.begin());
  position_ += 4;
  return 3 - padding;
}

std::vector<u8> decode_base64(std::string_view text) {
  std::vector<u8> bytes(text.size() / 4 * 3 + 64);
  Base64Decoder decoder(text);
  std::size_t length = 0;
  while (const std::size_t piece = decoder.read(std::span(bytes).subspan(length))) length += piece;
  bytes.resize(length);
  return bytes;
}

std::string encode_base64(std::span<const u8> bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    u32 group = 0;
    for (std::size_t j = 0; j < count; ++j) group |= static_cast<u32>(bytes[i + j]) << (16 - 8 * j);
    for (std::size_t j = 0; j < 4; ++j) text += j <= count ? kAlphabet[group >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

}  // namespace cuzk::filecoin
