#include "msm/conditional_sum.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "base/error.h"
#include "msm/run_sums.h"

namespace cuzk::msm {
namespace {

/// Words of bits whose points are summed together: at most 2^14 points, which fit a core's cache.
constexpr std::size_t kWords = 256;

template <class Curve>
void push_selected(std::span<const AffinePoint<Curve>> points, BitSpan bits, std::size_t word, RunSums<Curve>& sums) {
  u64 rest = bits.words[word];
  const std::size_t places = std::min<std::size_t>(64, bits.size - 64 * word);
  if (places < 64) rest &= (u64{1} << places) - 1;
  for (; rest != 0; rest &= rest - 1) sums.push(points[64 * word + static_cast<std::size_t>(std::countr_zero(rest))]);
}

}  // namespace

template <class Curve>
Point<Curve> conditional_sum(std::span<const AffinePoint<Curve>> points, BitSpan bits, ThreadPool& pool) {
  if (points.size() != bits.size) {
    throw invalid_input("conditional sum: {} bits for {} points, expected as many", bits.size, points.size());
  }
  const std::size_t words = (bits.size + 63) / 64, blocks = (words + kWords - 1) / kWords;
  std::vector<AffinePoint<Curve>> partial(blocks);
  pool.parallel_for(0, blocks, 1, [&](std::size_t begin, std::size_t end) {
    RunSums<Curve> sums;
    for (std::size_t block = begin; block < end; ++block) {
      pool.check_stop();
      sums.clear();
      const std::size_t last = std::min(words, (block + 1) * kWords);
      for (std::size_t word = block * kWords; word < last; ++word) push_selected(points, bits, word, sums);
      sums.end_run();
      partial[block] = sums.sum().front();
    }
  });
  Point<Curve> total = Point<Curve>::infinity();
  for (const auto& sum : partial) total += sum;
  return total;
}

template G1 conditional_sum(std::span<const G1Affine>, BitSpan, ThreadPool&);
template G2 conditional_sum(std::span<const G2Affine>, BitSpan, ThreadPool&);

}  // namespace cuzk::msm
