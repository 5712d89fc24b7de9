/// Many independent additions of affine points with one shared inversion in the field (Montgomery's trick).
#pragma once

#include <span>

#include "base/buffer.h"
#include "curve/g1.h"
#include "curve/g2.h"
#include "field/kernels.h"

namespace cuzk::msm {

/// *sum = left[0] + left[1]
template <class Curve>
struct PairSum {
  const AffinePoint<Curve>* left;
  AffinePoint<Curve>* sum;
};

/// Memory that additions need, kept from one call to the next. Not for use by several threads at a time.
class PairScratch {
 public:
  /// Room for `count` items, not initialised; what was there before is gone.
  template <class T>
  std::span<T> as(std::size_t count) {
    if (memory_.size() < count * sizeof(T)) memory_ = Buffer<u8>(count * sizeof(T));
    return {reinterpret_cast<T*>(memory_.data()), count};
  }

 private:
  Buffer<u8> memory_;
};

/// Does all additions, of any points. No sum may be an operand of another addition. The order of the pairs may change.
template <class Curve>
void add_pairs(std::span<PairSum<Curve>> pairs, PairScratch& scratch, Kernels kernels = chosen_kernels());

/// In plain C++, pairs of any points.
template <class Curve>
void add_pairs_portable(std::span<const PairSum<Curve>> pairs, PairScratch& scratch);

/// Eight at a time; only where is_supported(Kernels::ifma), and only pairs whose x differ and are not 0.
template <class Curve>
void add_pairs_ifma(std::span<const PairSum<Curve>> pairs, PairScratch& scratch);

}  // namespace cuzk::msm
