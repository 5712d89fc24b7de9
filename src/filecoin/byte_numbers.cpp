#include "filecoin/byte_numbers.h"

#include <array>
#include <bit>
#include <cstring>

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace cuzk::filecoin {
namespace {

/// One to three digits and the byte behind them. `length` is 0 where there is no such number below 256.
struct ByteNumber {
  u32 value, length;
};

ByteNumber byte_number(const u8* text) {
  u32 word;
  std::memcpy(&word, text, sizeof(word));
  const u32 digits = word ^ 0x30303030;                              // below 10 where there is a digit
  const u32 others = ((digits + 0x76767676) | digits) & 0x80808080;  // top bit of each byte that is none
  const u32 length = others == 0 ? 0 : static_cast<u32>(std::countr_zero(others)) / 8;
  if (length == 0 || (length > 1 && (digits & 0xff) == 0)) return {0, 0};  // nothing, or a leading zero
  const u32 aligned = (digits & 0x00ffffff) << (8 * (3 - length));         // the last digit in byte 2
  const u32 value = (aligned & 0xff) * 100 + (aligned >> 8 & 0xff) * 10 + (aligned >> 16 & 0xff);
  return {value, value < 256 ? length : 0};
}

#ifdef __AVX2__

constexpr std::size_t kNumbers = 32, kBlock = 64;
constexpr std::size_t kMostInFirst = 32, kFewestInFirst = 16;  // numbers that end in the first 64 bytes

/// Places in 64 bytes: a bit for each that is no digit, and for each that is a comma.
struct Separators {
  u64 others, commas;
};

Separators separators_of(const u8* text) {
  Separators result{0, 0};
  for (std::size_t half = 0; half < 2; ++half) {
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text + 32 * half));
    const __m256i digits = _mm256_xor_si256(bytes, _mm256_set1_epi8('0'));
    const __m256i nine = _mm256_set1_epi8(9);
    const __m256i is_digit = _mm256_cmpeq_epi8(_mm256_max_epu8(digits, nine), nine);
    const __m256i is_comma = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(','));
    result.others |= u64{~static_cast<u32>(_mm256_movemask_epi8(is_digit))} << (32 * half);
    result.commas |= u64{static_cast<u32>(_mm256_movemask_epi8(is_comma))} << (32 * half);
  }
  return result;
}

/// Writes the places of the lowest `count` bits, 64 for each that there is not.
template <std::size_t count>
void write_places(u64 mask, u32 base, u32* into) {
#pragma GCC unroll 32
  for (std::size_t i = 0; i < count; ++i) {
    into[i] = base + static_cast<u32>(_tzcnt_u64(mask));
    mask &= mask - 1;
  }
}

/// Eight numbers whose first four bytes are given. False in `good` where a number has not one to three digits, begins
/// with a zero it does not need, or is above 255.
__m256i eight_numbers(__m256i words, __m256i lengths, __m256i& good) {
  const __m256i smallest = _mm256_permutevar8x32_epi32(_mm256_setr_epi32(999, 0, 10, 100, 999, 999, 999, 999), lengths);
  const __m256i digits = _mm256_xor_si256(words, _mm256_set1_epi8('0'));
  const __m256i shift = _mm256_sub_epi32(_mm256_set1_epi32(32), _mm256_slli_epi32(lengths, 3));
  const __m256i aligned = _mm256_sllv_epi32(digits, shift);  // the last digit in byte 3
  const __m256i pairs = _mm256_maddubs_epi16(aligned, _mm256_set1_epi32(0x010a6400));
  const __m256i values = _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
  const __m256i too_small = _mm256_cmpgt_epi32(smallest, values);
  const __m256i wrong_length = _mm256_cmpgt_epi32(lengths, _mm256_set1_epi32(3));
  const __m256i too_large = _mm256_cmpgt_epi32(values, _mm256_set1_epi32(255));
  good = _mm256_andnot_si256(_mm256_or_si256(too_small, _mm256_or_si256(wrong_length, too_large)), good);
  return values;
}

__m256i load(const u32* words) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words)); }

/// Converts the numbers that end at these places (ends[-1]: before the first); false where one is none.
bool convert(const u8* text, const u32* ends, Node& node) {
  alignas(32) std::array<u32, kNumbers> words;
  const u32* const before = ends - 1;  // ends[i - 1] would add a wrapped 64-bit number for i = 0, which is undefined
  for (std::size_t i = 0; i < kNumbers; ++i) std::memcpy(&words[i], text + (before[i] + 1), sizeof(u32));
  __m256i good = _mm256_set1_epi32(-1);
  __m256i values[4];  // a template argument would lose the alignment of the type
  for (std::size_t i = 0; i < 4; ++i) {
    const __m256i distance = _mm256_sub_epi32(load(ends + 8 * i), load(before + 8 * i));
    values[i] = eight_numbers(load(words.data() + 8 * i), _mm256_sub_epi32(distance, _mm256_set1_epi32(1)), good);
  }
  const __m256i packed = _mm256_packus_epi16(_mm256_packus_epi32(values[0], values[1]),
                                             _mm256_packus_epi32(values[2], values[3]));  // by halves of 128 bits
  const __m256i ordered = _mm256_permutevar8x32_epi32(packed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(node.data()), ordered);
  return _mm256_movemask_epi8(good) == -1;
}

#endif

}  // namespace

std::size_t compact_node_portable(const u8* text, Node& node) {
  const u8* position = text;
  if (*position != '[') return 0;
  for (std::size_t i = 0; i < node.size(); ++i) {
    const ByteNumber number = byte_number(++position);
    position += number.length;
    const u8 after = i + 1 < node.size() ? ',' : ']';
    if (number.length == 0 || *position != after) return 0;
    node[i] = static_cast<u8>(number.value);
  }
  return static_cast<std::size_t>(position + 1 - text);
}

#ifdef __AVX2__

std::size_t compact_node(const u8* text, Node& node) {
  if (*text != '[') return 0;
  const u8* inside = text + 1;
  const Separators first = separators_of(inside), second = separators_of(inside + kBlock);
  const auto in_first = static_cast<std::size_t>(std::popcount(first.others));
  if (in_first < kFewestInFirst || in_first > kMostInFirst) return 0;
  alignas(32) std::array<u32, 8 + kNumbers + kMostInFirst> places;
  u32* ends = places.data() + 8;
  ends[-1] = ~u32{0};
  write_places<20>(first.others, 0, ends);
  if (in_first > 20) write_places<kMostInFirst>(first.others, 0, ends);
  write_places<kNumbers - kFewestInFirst>(second.others, kBlock, ends + in_first);
  const u32 last = ends[kNumbers - 1];
  if (last >= 2 * kBlock || inside[last] != ']') return 0;
  // Before the end every separator must be a comma.
  const u64 below_first = last < kBlock ? (u64{1} << last) - 1 : ~u64{0};
  const u64 below_second = last < kBlock ? 0 : (u64{1} << (last - kBlock)) - 1;
  const u64 wrong = ((first.others ^ first.commas) & below_first) | ((second.others ^ second.commas) & below_second);
  if (wrong != 0 || !convert(inside, ends, node)) return 0;
  return last + 2;
}

#else

std::size_t compact_node(const u8* text, Node& node) { return compact_node_portable(text, node); }

#endif

}  // namespace cuzk::filecoin
