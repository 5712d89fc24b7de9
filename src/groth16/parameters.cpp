#include "groth16/parameters.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "curve/encoding.h"
#include "groth16/big_endian.h"

namespace cuzk::groth16 {
namespace {

/// Points that a thread reads and converts at a time: 96 KiB of G1, which stays in its cache.
constexpr std::size_t kPiece = 1024;

struct Reading {
  const InputFile& file;
  KeyCheck check;
  ThreadPool& pool;
  const Control& control;
  Progress& progress;
};

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

template <class Affine>
Affine decode(std::span<const u8, kUncompressedBytes<Affine>> bytes, std::size_t index, std::string_view vector,
              const Reading& reading) {
  const Decoded<Affine> decoded = decode<Affine>(bytes, reading.check);
  if (!decoded.ok()) decoded.value_or_throw(fmt::format("{}: {}[{}]", reading.file.name(), vector, index));
  if (decoded.point.is_infinity()) {
    throw invalid_input("{}: {}[{}]: the point is infinity, which no key has", reading.file.name(), vector, index);
  }
  return decoded.point;
}

/// Reads the points [begin, end) of a vector whose first point is at `offset`.
template <class Affine>
void read_piece(std::span<Affine> points, std::size_t begin, u64 offset, std::string_view vector,
                const Reading& reading) {
  constexpr std::size_t kBytes = kUncompressedBytes<Affine>;
  reading.control.check("loading of a key");
  std::vector<u8> bytes(points.size() * kBytes);
  reading.file.read_at(offset + begin * kBytes, bytes);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto own = std::span<const u8>(bytes).subspan(i * kBytes).template first<kBytes>();
    points[i] = decode<Affine>(own, begin + i, vector, reading);
  }
  reading.progress.advance(bytes.size());
}

/// Reads a vector of `count` points whose count is at `offset`; moves `offset` behind it.
template <class Affine>
Buffer<Affine> read_vector(std::string_view name, u32 count, u64& offset, const Reading& reading) {
  const u64 first = offset + kCountBytes;
  Buffer<Affine> points(count);
  const std::size_t pieces = (std::size_t{count} + kPiece - 1) / kPiece;
  reading.pool.parallel_for(0, pieces, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t piece = begin; piece < end; ++piece) {
      const std::size_t start = piece * kPiece;
      read_piece(points.span().subspan(start, std::min(kPiece, count - start)), start, first, name, reading);
    }
  });
  offset = first + u64{count} * kUncompressedBytes<Affine>;
  return points;
}

}  // namespace

VerifyingKey read_verifying_key(const InputFile& file, const KeyLengths& lengths) {
  std::vector<u8> bytes(lengths.verifying_key_bytes());
  file.read_at(0, bytes);
  return VerifyingKey::from_bytes(bytes, file.name());
}

KeyLengths Parameters::lengths() const {
  return {.ic = static_cast<u32>(verifying_key.ic.size()),
          .h = static_cast<u32>(h.size()),
          .l = static_cast<u32>(l.size()),
          .a = static_cast<u32>(a.size()),
          .b_g1 = static_cast<u32>(b_g1.size()),
          .b_g2 = static_cast<u32>(b_g2.size())};
}

Parameters read_parameters(const std::filesystem::path& path, KeyCheck check, ThreadPool& pool,
                           const Control& control) {
  const InputFile file(path);
  const KeyLengths lengths = read_key_lengths(file);
  Progress progress(control.on_progress, fmt::format("loading {}", path.filename().string()), file.size());
  const Reading reading{file, check, pool, control, progress};
  Parameters key;
  key.verifying_key = read_verifying_key(file, lengths);
  u64 offset = lengths.verifying_key_bytes();
  progress.advance(offset);
  key.h = read_vector<G1Affine>("h", lengths.h, offset, reading);
  key.l = read_vector<G1Affine>("l", lengths.l, offset, reading);
  key.a = read_vector<G1Affine>("a", lengths.a, offset, reading);
  key.b_g1 = read_vector<G1Affine>("b_g1", lengths.b_g1, offset, reading);
  key.b_g2 = read_vector<G2Affine>("b_g2", lengths.b_g2, offset, reading);
  progress.advance(5 * kCountBytes);
  return key;
}

}  // namespace cuzk::groth16
