#include "groth16/parameter_writer.h"

#include <algorithm>
#include <array>
#include <type_traits>
#include <vector>

#include "base/error.h"
#include "curve/encoding.h"
#include "groth16/big_endian.h"

namespace cuzk::groth16 {
namespace {

constexpr std::array<std::string_view, 5> kVectors{"h", "l", "a", "b_g1", "b_g2"};

u32 count_of(const KeyLengths& lengths, unsigned vector) {
  return std::array{lengths.h, lengths.l, lengths.a, lengths.b_g1, lengths.b_g2}[vector];
}

template <class Affine>
std::vector<u8> encode(std::span<const Affine> points, ThreadPool& pool) {
  constexpr std::size_t kBytes = kUncompressedBytes<Affine>, kGrain = 512;
  std::vector<u8> bytes(points.size() * kBytes);
  pool.parallel_for(0, points.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      std::ranges::copy(to_uncompressed(points[i]), bytes.begin() + static_cast<std::ptrdiff_t>(i * kBytes));
    }
  });
  return bytes;
}

}  // namespace

ParameterWriter::ParameterWriter(const std::filesystem::path& path, const VerifyingKey& key, const KeyLengths& lengths,
                                 ThreadPool& pool, const Control& control)
    : file_(path),
      lengths_(lengths),
      pool_(pool),
      control_(control),
      progress_(control.on_progress, fmt::format("making {}", path.filename().string()), lengths.file_bytes()) {
  if (key.ic.size() != lengths.ic) {
    throw internal_error("{}: ic has {} points, expected {}", path.string(), key.ic.size(), lengths.ic);
  }
  write(key.to_bytes());
  begin_vectors();
}

void ParameterWriter::append(std::span<const G1Affine> points) { append_points(points); }
void ParameterWriter::append(std::span<const G2Affine> points) { append_points(points); }

template <class Affine>
void ParameterWriter::append_points(std::span<const Affine> points) {
  control_.check("making of a key");
  if (points.empty()) return;
  const bool other_group = std::is_same_v<Affine, G2Affine> != (vector_ == kVectors.size() - 1);
  if (other_group || points.size() > missing_) {
    throw internal_error("key: {} points where {} of the other kind or size are missing", points.size(), missing_);
  }
  if (std::ranges::any_of(points, [](const Affine& point) { return point.is_infinity(); })) {
    throw internal_error("key: infinity among the points of {}", kVectors[vector_]);
  }
  write(encode(points, pool_));
  missing_ -= static_cast<u32>(points.size());
  if (missing_ > 0) return;
  ++vector_;
  begin_vectors();
}

/// Writes the count of the next vector, and of those after it as long as they are empty.
void ParameterWriter::begin_vectors() {
  for (; vector_ < kVectors.size(); ++vector_) {
    missing_ = count_of(lengths_, vector_);
    write(count_to_bytes(missing_));
    if (missing_ > 0) return;
  }
}

void ParameterWriter::write(std::span<const u8> bytes) {
  file_.write(bytes);
  digester_.update(bytes, pool_);
  progress_.advance(bytes.size());
}

FileDigest ParameterWriter::finish() {
  if (vector_ < kVectors.size()) {
    throw internal_error("key: {} points of {} are missing", missing_, kVectors[vector_]);
  }
  file_.finish();
  return digester_.finish();
}

}  // namespace cuzk::groth16
