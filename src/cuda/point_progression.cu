#include <algorithm>

#include "cuda/pair_adder.cuh"
#include "cuda/pair_lists.cuh"
#include "cuda/point_progression.h"
#include "curve/point.h"

namespace cuzk::cuda {

template <class Curve>
DeviceBuffer<AffinePoint<Curve>> point_progression(const Queue& queue, const AffinePoint<Curve>& first,
                                                   const AffinePoint<Curve>& step, std::size_t count) {
  using Affine = AffinePoint<Curve>;
  DeviceBuffer<Affine> points(queue.memory, count + 1);  // the current step lies behind the last
  if (count == 0) return points;
  copy(points.span().first(1), std::span(&first, 1), queue.stream);
  PairAdder<Curve> adder(queue, count / 2 + 1);
  Point<Curve> stride = step;
  for (std::size_t done = 1; done < count; done *= 2, stride = stride.doubled()) {
    const Affine affine = stride.to_affine();
    copy(points.span().last(1), std::span(&affine, 1), queue.stream);
    const std::size_t more = std::min(done, count - done);
    adder.add(points.data(), StepPairs{static_cast<u32>(more), static_cast<u32>(count)}, more, points.data() + done);
  }
  queue.stream.synchronize();
  return points;
}

template DeviceBuffer<G1Affine> point_progression(const Queue&, const G1Affine&, const G1Affine&, std::size_t);
template DeviceBuffer<G2Affine> point_progression(const Queue&, const G2Affine&, const G2Affine&, std::size_t);

}  // namespace cuzk::cuda
