#include "msm/fixed_base.h"

#include <algorithm>
#include <cstdlib>

#include "curve/normalize.h"
#include "msm/signed_digits.h"

namespace cuzk::msm {
namespace {

constexpr unsigned kBits = 11;
/// Digits of one sign in a window.
constexpr std::size_t kDigits = std::size_t{1} << (kBits - 1);
/// Scalars whose sums share their inversions.
constexpr std::size_t kBlock = 512;

}  // namespace

template <class Curve>
FixedBase<Curve>::FixedBase(const Point<Curve>& base) {
  std::vector<Point<Curve>> multiples;
  multiples.reserve(DigitReader::digits(kBits) * kDigits);
  Point<Curve> window_base = base;
  for (unsigned w = 0; w < DigitReader::digits(kBits); ++w) {
    const Affine step = window_base.to_affine();
    Point<Curve> multiple = step;
    for (std::size_t digit = 1; digit <= kDigits; ++digit, multiple += step) multiples.push_back(multiple);
    window_base = multiples.back().doubled();
  }
  table_ = normalize(multiples);
}

/// Pushes the multiples that make up scalar * base, as one run.
template <class Curve>
void FixedBase<Curve>::push_multiples(const Fr& scalar, RunSums<Curve>& sums) const {
  DigitReader reader(scalar, kBits);
  for (std::size_t w = 0; w < DigitReader::digits(kBits); ++w) {
    const int digit = reader.next();
    if (digit == 0) continue;
    const Affine& multiple = table_[w * kDigits + static_cast<std::size_t>(std::abs(digit)) - 1];
    sums.push(digit < 0 ? -multiple : multiple);
  }
  sums.end_run();
}

template <class Curve>
std::vector<AffinePoint<Curve>> FixedBase<Curve>::multiply(std::span<const Fr> scalars, ThreadPool& pool) const {
  std::vector<Affine> results(scalars.size());
  const std::size_t blocks = (scalars.size() + kBlock - 1) / kBlock;
  pool.parallel_for(0, blocks, 1, [&](std::size_t begin, std::size_t end) {
    RunSums<Curve> sums;
    for (std::size_t block = begin; block < end; ++block) {
      const std::size_t first = block * kBlock;
      pool.check_stop();
      sums.clear();
      for (const Fr& scalar : scalars.subspan(first, std::min(kBlock, scalars.size() - first))) {
        push_multiples(scalar, sums);
      }
      std::ranges::copy(sums.sum(), results.begin() + static_cast<std::ptrdiff_t>(first));
    }
  });
  return results;
}

template class FixedBase<G1Curve>;
template class FixedBase<G2Curve>;

}  // namespace cuzk::msm
