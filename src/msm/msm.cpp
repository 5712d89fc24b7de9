#include "msm/msm.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "msm/signed_digits.h"
#include "msm/window_sum.h"

namespace cuzk::msm {
namespace {

/// Scalars whose digits are held at a time: 34 MiB of them.
constexpr std::size_t kChunk = std::size_t{1} << 20;
/// Below this many, buckets do not pay.
constexpr std::size_t kFewScalars = 8;

template <class Curve>
Point<Curve> sum_few(const Bases<Curve>& bases, std::span<const Fr> scalars) {
  Point<Curve> sum = Point<Curve>::infinity();
  for (std::size_t i = 0; i < scalars.size(); ++i) {
    if (!scalars[i].is_zero()) sum += bases[i] * scalars[i];
  }
  return sum;
}

/// The sum of 2^(bits w) * windows[w].
template <class Curve>
Point<Curve> combine(const std::vector<Point<Curve>>& windows, unsigned bits) {
  Point<Curve> sum = Point<Curve>::infinity();
  for (std::size_t w = windows.size(); w-- > 0;) {
    for (unsigned i = 0; i < bits; ++i) sum = sum.doubled();
    sum += windows[w];
  }
  return sum;
}

template <class Curve>
Point<Curve> sum_by_windows(const Bases<Curve>& bases, std::span<const Fr> scalars, unsigned bits,
                            WindowScratch<Curve>& scratch, ThreadPool& pool) {
  const SignedDigits digits(scalars, bits, pool);
  std::vector<Point<Curve>> windows(DigitReader::digits(bits));
  pool.parallel_for(0, windows.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t w = begin; w < end; ++w) {
      pool.check_stop();
      windows[w] = window_sum(bases, digits.window(w), std::size_t{1} << (bits - 1), scratch, pool);
    }
  });
  return combine(windows, bits);
}

template <class Curve>
Point<Curve> sum_in_chunks(const Bases<Curve>& bases, std::span<const Fr> scalars, ThreadPool& pool) {
  Point<Curve> sum = Point<Curve>::infinity();
  WindowScratch<Curve> scratch;
  for (std::size_t first = 0; first < scalars.size(); first += kChunk) {
    const auto chunk = scalars.subspan(first, std::min(kChunk, scalars.size() - first));
    const auto bits = window_bits(chunk.size());
    sum += chunk.size() <= kFewScalars ? sum_few(bases.from(first), chunk)
                                       : sum_by_windows(bases.from(first), chunk, bits, scratch, pool);
  }
  return sum;
}

void check_equal(std::size_t points, std::size_t scalars) {
  if (points != scalars) {
    throw invalid_input("multi-scalar multiplication: {} scalars for {} points, expected as many", scalars, points);
  }
}

}  // namespace

unsigned window_bits(std::size_t scalars) {
  // Additions: one for each scalar and two for each of the 2^(bits - 1) buckets, in every window.
  const auto cost = [&](unsigned bits) { return (scalars + (std::size_t{1} << bits)) * DigitReader::digits(bits); };
  unsigned best = SignedDigits::kMinBits;
  for (unsigned bits = best + 1; bits <= SignedDigits::kMaxBits; ++bits) {
    if (cost(bits) < cost(best)) best = bits;
  }
  return best;
}

template <class Curve>
Point<Curve> multi_scalar_mul(std::span<const AffinePoint<Curve>> points, std::span<const Fr> scalars,
                              ThreadPool& pool) {
  check_equal(points.size(), scalars.size());
  return sum_in_chunks(Bases<Curve>{points.data()}, scalars, pool);
}

template <class Curve>
Point<Curve> multi_scalar_mul_indexed(std::span<const AffinePoint<Curve>> points, std::span<const u32> indices,
                                      std::span<const Fr> scalars, ThreadPool& pool) {
  check_equal(indices.size(), scalars.size());
  const auto largest = std::max_element(indices.begin(), indices.end());
  if (largest != indices.end() && *largest >= points.size()) {
    throw invalid_input("multi-scalar multiplication: index {} into {} points", *largest, points.size());
  }
  return sum_in_chunks(Bases<Curve>{points.data(), indices.data()}, scalars, pool);
}

template <class Curve>
Point<Curve> multi_scalar_mul_windowed(std::span<const AffinePoint<Curve>> points, std::span<const Fr> scalars,
                                       unsigned bits, ThreadPool& pool) {
  check_equal(points.size(), scalars.size());
  if (bits < SignedDigits::kMinBits || bits > SignedDigits::kMaxBits) {
    throw invalid_input("multi-scalar multiplication: windows of {} bits, expected {} to {}", bits,
                        SignedDigits::kMinBits, SignedDigits::kMaxBits);
  }
  WindowScratch<Curve> scratch;
  return sum_by_windows(Bases<Curve>{points.data()}, scalars, bits, scratch, pool);
}

template G1 multi_scalar_mul(std::span<const G1Affine>, std::span<const Fr>, ThreadPool&);
template G2 multi_scalar_mul(std::span<const G2Affine>, std::span<const Fr>, ThreadPool&);
template G1 multi_scalar_mul_indexed(std::span<const G1Affine>, std::span<const u32>, std::span<const Fr>, ThreadPool&);
template G2 multi_scalar_mul_indexed(std::span<const G2Affine>, std::span<const u32>, std::span<const Fr>, ThreadPool&);
template G1 multi_scalar_mul_windowed(std::span<const G1Affine>, std::span<const Fr>, unsigned, ThreadPool&);
template G2 multi_scalar_mul_windowed(std::span<const G2Affine>, std::span<const Fr>, unsigned, ThreadPool&);

}  // namespace cuzk::msm
