#include "cuda/key_loader.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/error.h"
#include "cuda/point_decoding.h"
#include "curve/encoding.h"
#include "groth16/big_endian.h"

namespace cuzk::cuda {
namespace {

using groth16::InputFile;
using groth16::KeyCheck;

/// Of encoded points on the device at a time; whole points of either curve.
constexpr std::size_t kChunkBytes = std::size_t{192} << 18;

/// Says of a point that the device refused what is wrong with it.
template <class Affine>
[[noreturn]] void throw_fault(const InputFile& file, KeyCheck check, std::string_view vector, u32 index, u64 offset) {
  std::array<u8, kUncompressedBytes<Affine>> bytes;
  file.read_at(offset + u64{index} * bytes.size(), bytes);
  const Decoded<Affine> decoded =
      check == KeyCheck::subgroups ? from_uncompressed<Affine>(bytes) : from_uncompressed_unchecked<Affine>(bytes);
  decoded.value_or_throw(fmt::format("{}: {}[{}]", file.name(), vector, index));
  if (decoded.point.is_infinity())
    throw invalid_input("{}: {}[{}]: the point is infinity, which no key has", file.name(), vector, index);
  throw internal_error("{}: {}[{}]: the device refuses a point that the processor takes", file.name(), vector, index);
}

/// What reading the vectors of a file has in common.
struct Reading {
  const InputFile& file;
  KeyCheck check;
  const Stream& stream;
  Staging& staging;
  std::span<std::byte> encoded;
  DeviceBuffer<u32>& first_bad;
  const groth16::Control& control;
  Progress& progress;
};

/// The points [first, first + size of points) of the vector whose first point is at `offset`.
template <class Curve>
void read_chunk(const Reading& reading, std::span<AffinePoint<Curve>> points, u32 first, u64 offset) {
  constexpr std::size_t kBytes = kUncompressedBytes<AffinePoint<Curve>>;
  reading.control.check("loading of a key");
  const u64 begin = offset + u64{first} * kBytes;
  const std::span<std::byte> encoded = reading.encoded.first(points.size() * kBytes);
  reading.staging.upload_filled(encoded, [&](std::size_t at, std::span<std::byte> bytes) {
    reading.file.read_at(begin + at, {reinterpret_cast<u8*>(bytes.data()), bytes.size()});
  });
  decode_points<Curve>(reading.stream, encoded, points, first, reading.first_bad.data());
  if (reading.check == KeyCheck::subgroups)
    check_subgroups<Curve>(reading.stream, points, first, reading.first_bad.data());
  reading.progress.advance(encoded.size());
}

/// The vector whose count is at `offset`, which moves behind it.
template <class Curve>
void read_vector(const Reading& reading, std::string_view name, DeviceBuffer<AffinePoint<Curve>>& points, u64& offset) {
  constexpr std::size_t kBytes = kUncompressedBytes<AffinePoint<Curve>>, kAtOnce = kChunkBytes / kBytes;
  offset += groth16::kCountBytes;
  fill_bytes(std::as_writable_bytes(reading.first_bad.span()), 0xff, reading.stream);
  for (std::size_t first = 0; first < points.size(); first += kAtOnce) {
    const std::size_t size = std::min(kAtOnce, points.size() - first);
    read_chunk<Curve>(reading, points.span().subspan(first, size), static_cast<u32>(first), offset);
  }
  const u32 bad = reading.first_bad.to_host(reading.stream).front();
  if (bad != kNoPoint) throw_fault<AffinePoint<Curve>>(reading.file, reading.check, name, bad, offset);
  offset += points.size() * kBytes;
}

}  // namespace

KeyLoader::Room::Room(const groth16::KeyLengths& lengths, MemoryResource& memory)
    : h_(memory, lengths.h),
      l_(memory, lengths.l),
      a_(memory, lengths.a),
      b_g1_(memory, lengths.b_g1),
      b_g2_(memory, lengths.b_g2),
      encoded_(memory, kChunkBytes),
      first_bad_(memory, 1) {}

CudaKey::Points KeyLoader::load(const InputFile& file, const groth16::KeyLengths& lengths, KeyCheck check, Room& room,
                                const groth16::Control& control) {
  const std::string name = std::filesystem::path(file.name()).filename().string();
  Progress progress(control.on_progress, fmt::format("loading {}", name), file.size());
  const Reading reading{file, check, stream_, staging_, room.encoded_.span(), room.first_bad_, control, progress};
  u64 offset = lengths.verifying_key_bytes();
  progress.advance(offset + 5 * groth16::kCountBytes);
  read_vector<G1Curve>(reading, "h", room.h_, offset);
  read_vector<G1Curve>(reading, "l", room.l_, offset);
  read_vector<G1Curve>(reading, "a", room.a_, offset);
  read_vector<G1Curve>(reading, "b_g1", room.b_g1_, offset);
  read_vector<G2Curve>(reading, "b_g2", room.b_g2_, offset);
  return {.h = std::move(room.h_),
          .l = std::move(room.l_),
          .a = std::move(room.a_),
          .b_g1 = std::move(room.b_g1_),
          .b_g2 = std::move(room.b_g2_)};
}

}  // namespace cuzk::cuda
