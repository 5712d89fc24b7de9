/// Many multiples of one point, for making keys.
#pragma once

#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "curve/g1.h"
#include "curve/g2.h"
#include "msm/run_sums.h"

namespace cuzk::msm {

/// A table of digit * 2^(bits w) * base for every window w of a scalar and every digit in [1, 2^(bits-1)]. Windows are
/// as wide as makes table and multiples together the fewest additions, within kLargestTable. Const members may be
/// called from any thread.
template <class Curve>
class FixedBase {
 public:
  using Affine = AffinePoint<Curve>;

  static constexpr std::size_t kLargestTable = std::size_t{48} << 20;  ///< bytes: 16 bits for G1, 14 for G2

  /// Any point of the subgroup, infinity included. `scalars`: how many will be multiplied in all, at a guess. The largest
  /// table takes a thread 0.3 s.
  explicit FixedBase(const Point<Curve>& base, std::size_t scalars = std::size_t{1} << 16);

  /// scalars[i] * base for all i; a zero scalar gives infinity. Cost for each: an addition of 6 multiplications in the
  /// field a window, 15 for G1 and 18 for G2 with the largest table. Memory: the result, and about 1 MiB (G1) per thread.
  std::vector<Affine> multiply(std::span<const Fr> scalars, ThreadPool& pool) const;

 private:
  std::vector<i32> places(std::span<const Fr> scalars) const;
  void push_runs(std::span<const i32> places, RunSums<Curve>& sums) const;

  unsigned bits_;
  std::size_t windows_, digits_;  ///< digits of one sign in a window
  std::vector<Affine> table_;     ///< window by window
};

extern template class FixedBase<G1Curve>;
extern template class FixedBase<G2Curve>;

}  // namespace cuzk::msm
