#include "cuda/conditional_sum.h"

#include "base/error.h"
#include "cuda/conditional_sum_dispatch.h"

namespace cuzk::cuda {

template <class Curve>
Point<Curve> conditional_sum(const Queue& queue, std::span<const AffinePoint<Curve>> points,
                             std::span<const u64> words) {
  const std::size_t expected = (points.size() + 63) / 64;
  if (points.size() >> 31 != 0) throw invalid_input("conditional sum: {} points, at most 2^31 - 1", points.size());
  if (words.size() != expected)
    throw invalid_input("conditional sum: {} words of bits, expected {} for {} points", words.size(), expected,
                        points.size());
  return sum_set(queue, points, words);
}

template G1 conditional_sum(const Queue&, std::span<const G1Affine>, std::span<const u64>);
template G2 conditional_sum(const Queue&, std::span<const G2Affine>, std::span<const u64>);

}  // namespace cuzk::cuda
