/// Many multiples of one point on a device, for making keys.
#pragma once

#include <span>

#include "cuda/device_buffer.h"
#include "cuda/queue.h"
#include "curve/g1.h"
#include "curve/g2.h"
#include "field/fr.h"

namespace cuzk::cuda {

/// A table of digit * 2^(16 w) * base for every window w of a scalar and every digit in [1, 2^15]: 50 MB for G1, 101 MB
/// for G2. Equal to msm::FixedBase. Cost: 15 additions of 6 multiplications in the field for each scalar.
template <class Curve>
class FixedBase {
 public:
  using Affine = AffinePoint<Curve>;

  /// Not infinity. The queue outlives the table.
  FixedBase(const Queue& queue, const Point<Curve>& base);

  /// points[i] = scalars[i] * base; both in the device's memory and of the same length. Enqueues only. Memory: about
  /// 1.6 KiB (G2: 3.2 KiB) for each scalar.
  void multiply(std::span<const Fr> scalars, std::span<Affine> points) const;

 private:
  const Queue& queue_;
  DeviceBuffer<Affine> table_;  ///< window by window, infinity behind the last
};

extern template class FixedBase<G1Curve>;
extern template class FixedBase<G2Curve>;

}  // namespace cuzk::cuda
