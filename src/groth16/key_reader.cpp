#include "groth16/key_reader.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "base/error.h"
#include "curve/encoding.h"
#include "groth16/big_endian.h"

namespace cuzk::groth16 {
namespace {

/// Points that a thread reads and converts at a time: 96 KiB of G1, which stays in its cache.
constexpr std::size_t kPiece = 1024;

/// A coordinate as files have it: big-endian, c1 before c0. Nothing when it is not below the modulus.
std::optional<Fp> coordinate(std::span<const u8, Fp::kBytes> bytes) {
  std::array<u8, Fp::kBytes> little_endian;
  std::ranges::reverse_copy(bytes, little_endian.begin());
  return Fp::from_bytes(little_endian);
}
std::optional<Fp2> coordinate(std::span<const u8, 2 * Fp::kBytes> bytes) {
  const auto c1 = coordinate(bytes.first<Fp::kBytes>()), c0 = coordinate(bytes.last<Fp::kBytes>());
  return c0 && c1 ? std::optional(Fp2{*c0, *c1}) : std::nullopt;
}

/// A point of which it is known that it is on its curve.
template <class Affine>
Decoded<Affine> decode_known(std::span<const u8, kUncompressedBytes<Affine>> bytes) {
  constexpr std::size_t kHalf = kUncompressedBytes<Affine> / 2;
  const auto x = coordinate(bytes.template first<kHalf>()), y = coordinate(bytes.template last<kHalf>());
  if (!x || !y) return {Affine::infinity(), EncodingFault::not_canonical};
  return {{*x, *y}};
}

template <class Affine>
Decoded<Affine> decode(std::span<const u8, kUncompressedBytes<Affine>> bytes, KeyCheck check) {
  switch (check) {
    case KeyCheck::known: return decode_known<Affine>(bytes);
    case KeyCheck::points: return from_uncompressed_unchecked<Affine>(bytes);
    default: return from_uncompressed<Affine>(bytes);
  }
}

/// One point of a vector that is read.
template <class Affine>
Affine decode_or_throw(std::span<const u8, kUncompressedBytes<Affine>> bytes, KeyCheck check,
                       const std::function<std::string()>& name) {
  const Decoded<Affine> decoded = decode<Affine>(bytes, check);
  if (!decoded.ok()) decoded.value_or_throw(name());
  if (decoded.point.is_infinity()) throw invalid_input("{}: the point is infinity, which no key has", name());
  return decoded.point;
}

}  // namespace

KeyReader::KeyReader(const std::filesystem::path& path) : file_(path), lengths_(read_key_lengths(file_)) {}

u64 KeyReader::behind_count(u64 offset) { return offset + kCountBytes; }
u64 KeyReader::end_g1(const KeyVector& vector) {
  return vector.offset + u64{vector.count} * kUncompressedBytes<G1Affine>;
}

template <class Affine>
void KeyReader::read(const KeyVector& vector, std::size_t first, std::span<Affine> points, const How& how) const {
  constexpr std::size_t kBytes = kUncompressedBytes<Affine>;
  const auto read_piece = [&](std::size_t begin, std::size_t count) {
    how.control.check("loading of a key");
    std::vector<u8> bytes(count * kBytes);
    file_.read_at(vector.offset + (first + begin) * kBytes, bytes);
    for (std::size_t i = 0; i < count; ++i) {
      const auto own = std::span<const u8>(bytes).subspan(i * kBytes).template first<kBytes>();
      points[begin + i] = decode_or_throw<Affine>(
          own, how.check, [&] { return fmt::format("{}: {}[{}]", file_.name(), vector.name, first + begin + i); });
    }
    if (how.progress != nullptr) how.progress->advance(bytes.size());
  };
  const std::size_t pieces = (points.size() + kPiece - 1) / kPiece;
  how.pool.parallel_for(0, pieces, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t piece = begin; piece < end; ++piece) {
      read_piece(piece * kPiece, std::min(kPiece, points.size() - piece * kPiece));
    }
  });
}

template void KeyReader::read(const KeyVector&, std::size_t, std::span<G1Affine>, const How&) const;
template void KeyReader::read(const KeyVector&, std::size_t, std::span<G2Affine>, const How&) const;

}  // namespace cuzk::groth16
