#include "curve/encoding.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "curve/subgroup.h"
#include "field/square_root.h"

namespace cuzk {
namespace {

constexpr u8 kCompressed = 0x80, kInfinity = 0x40, kLargerRoot = 0x20, kFlags = 0xe0;

/// (p - 1) / 2
constexpr Limbs<6> kHalf = shift_right(Fp::kModulus, 1);

void store(const Fp& value, std::span<u8, 48> bytes) { std::ranges::reverse_copy(value.to_bytes(), bytes.begin()); }
void store(const Fp2& value, std::span<u8, 96> bytes) {
  store(value.c1, bytes.first<48>());
  store(value.c0, bytes.last<48>());
}

/// Empty when not below p; the caller has cleared the flags of the first byte.
std::optional<Fp> load(std::span<const u8, 48> bytes) {
  Limbs<6> value{};
  for (std::size_t i = 0; i < 48; ++i) value[5 - i / 8] = value[5 - i / 8] << 8 | bytes[i];
  if (!less(value, Fp::kModulus)) return std::nullopt;
  return Fp::from_integer_unchecked(value);
}
std::optional<Fp2> load(std::span<const u8, 96> bytes) {
  const auto c1 = load(bytes.first<48>()), c0 = load(bytes.last<48>());
  if (!c0 || !c1) return std::nullopt;
  return Fp2{*c0, *c1};
}

bool is_larger_root(const Fp& y) { return less(kHalf, y.to_integer()); }
bool is_larger_root(const Fp2& y) { return y.c1.is_zero() ? is_larger_root(y.c0) : is_larger_root(y.c1); }

bool all_zero(std::span<const u8> bytes) {
  return std::ranges::all_of(bytes, [](u8 byte) { return byte == 0; });
}

template <class Affine>
Decoded<Affine> fault(EncodingFault fault) {
  return {Affine::infinity(), fault};
}

/// For a first byte with the infinity flag; the compression flag has been judged.
template <class Affine>
Decoded<Affine> decode_infinity(std::span<const u8> bytes) {
  if ((bytes[0] & kLargerRoot) != 0) return fault<Affine>(EncodingFault::sign_flag_set);
  const bool zero = (bytes[0] & ~kFlags) == 0 && all_zero(bytes.subspan(1));
  return zero ? Decoded<Affine>{Affine::infinity()} : fault<Affine>(EncodingFault::infinity_not_zero);
}

template <class Affine>
Decoded<Affine> require_subgroup(const Decoded<Affine>& decoded) {
  if (!decoded.ok() || decoded.point.is_infinity() || is_in_subgroup(decoded.point)) return decoded;
  return fault<Affine>(EncodingFault::not_in_subgroup);
}

}  // namespace

std::string_view describe(EncodingFault fault) {
  switch (fault) {
    case EncodingFault::none: return "is a valid point";
    case EncodingFault::compression_flag_missing: return "lacks the flag of a compressed point";
    case EncodingFault::compression_flag_set: return "has the flag of a compressed point, expected an uncompressed one";
    case EncodingFault::sign_flag_set: return "has the sign flag, which only a compressed finite point may have";
    case EncodingFault::infinity_not_zero: return "has the flag of infinity and other bits that are not zero";
    case EncodingFault::not_canonical: return "has a coordinate that is not below the field's modulus";
    case EncodingFault::not_on_curve: return "is not on the curve";
    case EncodingFault::not_in_subgroup: return "is on the curve but not in the subgroup of order r";
  }
  return "has an unknown fault";
}

template <class Affine>
Affine Decoded<Affine>::value_or_throw(std::string_view name) const {
  if (!ok()) throw invalid_input("{}: the point {}", name, describe(fault));
  return point;
}

template <class Affine>
std::array<u8, kCompressedBytes<Affine>> to_compressed(const Affine& point) {
  std::array<u8, kCompressedBytes<Affine>> bytes{};
  if (point.is_infinity()) {
    bytes[0] = kCompressed | kInfinity;
    return bytes;
  }
  store(point.x, bytes);
  bytes[0] = static_cast<u8>(bytes[0] | kCompressed | (is_larger_root(point.y) ? kLargerRoot : 0));
  return bytes;
}

template <class Affine>
std::array<u8, kUncompressedBytes<Affine>> to_uncompressed(const Affine& point) {
  std::array<u8, kUncompressedBytes<Affine>> bytes{};
  if (point.is_infinity()) {
    bytes[0] = kInfinity;
    return bytes;
  }
  constexpr std::size_t kHalfBytes = kCompressedBytes<Affine>;
  const std::span<u8, 2 * kHalfBytes> both(bytes);
  store(point.x, both.template first<kHalfBytes>());
  store(point.y, both.template last<kHalfBytes>());
  return bytes;
}

template <class Affine>
Decoded<Affine> from_compressed_unchecked(std::span<const u8, kCompressedBytes<Affine>> bytes) {
  if ((bytes[0] & kCompressed) == 0) return fault<Affine>(EncodingFault::compression_flag_missing);
  if ((bytes[0] & kInfinity) != 0) return decode_infinity<Affine>(bytes);
  std::array<u8, kCompressedBytes<Affine>> plain;
  std::ranges::copy(bytes, plain.begin());
  plain[0] &= static_cast<u8>(~kFlags);
  const auto x = load(std::span<const u8, kCompressedBytes<Affine>>(plain));
  if (!x) return fault<Affine>(EncodingFault::not_canonical);
  if (x->is_zero()) return fault<Affine>(EncodingFault::not_in_subgroup);
  const auto y = square_root(x->squared() * *x + Affine::Curve::b());
  if (!y) return fault<Affine>(EncodingFault::not_on_curve);
  const bool wants_larger = (bytes[0] & kLargerRoot) != 0;
  return {{*x, is_larger_root(*y) == wants_larger ? *y : -*y}};
}

template <class Affine>
Decoded<Affine> from_uncompressed_unchecked(std::span<const u8, kUncompressedBytes<Affine>> bytes) {
  if ((bytes[0] & kCompressed) != 0) return fault<Affine>(EncodingFault::compression_flag_set);
  if ((bytes[0] & kInfinity) != 0) return decode_infinity<Affine>(bytes);
  if ((bytes[0] & kLargerRoot) != 0) return fault<Affine>(EncodingFault::sign_flag_set);
  const auto x = load(bytes.template first<kCompressedBytes<Affine>>());
  const auto y = load(bytes.template last<kCompressedBytes<Affine>>());
  if (!x || !y) return fault<Affine>(EncodingFault::not_canonical);
  const Affine point{*x, *y};
  // (0, 0) is this program's form of infinity, and off the curve.
  if (point.is_infinity() || !point.is_on_curve()) return fault<Affine>(EncodingFault::not_on_curve);
  return {point};
}

template <class Affine>
Decoded<Affine> from_compressed(std::span<const u8, kCompressedBytes<Affine>> bytes) {
  return require_subgroup(from_compressed_unchecked<Affine>(bytes));
}

template <class Affine>
Decoded<Affine> from_uncompressed(std::span<const u8, kUncompressedBytes<Affine>> bytes) {
  return require_subgroup(from_uncompressed_unchecked<Affine>(bytes));
}

template struct Decoded<G1Affine>;
template struct Decoded<G2Affine>;
template std::array<u8, 48> to_compressed(const G1Affine&);
template std::array<u8, 96> to_compressed(const G2Affine&);
template std::array<u8, 96> to_uncompressed(const G1Affine&);
template std::array<u8, 192> to_uncompressed(const G2Affine&);
template Decoded<G1Affine> from_compressed<G1Affine>(std::span<const u8, 48>);
template Decoded<G2Affine> from_compressed<G2Affine>(std::span<const u8, 96>);
template Decoded<G1Affine> from_compressed_unchecked<G1Affine>(std::span<const u8, 48>);
template Decoded<G2Affine> from_compressed_unchecked<G2Affine>(std::span<const u8, 96>);
template Decoded<G1Affine> from_uncompressed<G1Affine>(std::span<const u8, 96>);
template Decoded<G2Affine> from_uncompressed<G2Affine>(std::span<const u8, 192>);
template Decoded<G1Affine> from_uncompressed_unchecked<G1Affine>(std::span<const u8, 96>);
template Decoded<G2Affine> from_uncompressed_unchecked<G2Affine>(std::span<const u8, 192>);

}  // namespace cuzk
