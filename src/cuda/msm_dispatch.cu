#include <algorithm>

#include "cuda/bucket_sums.cuh"
#include "cuda/msm_dispatch.h"
#include "cuda/weighted_sums.cuh"

namespace cuzk::cuda {
namespace {

template <class Curve>
class Msm {
 public:
  Msm(const Queue& queue, std::span<const AffinePoint<Curve>> points, std::span<const u32> indices,
      std::span<const Fr> scalars, const MsmTuning& tuning)
      : queue_(queue), points_(points), indices_(indices), scalars_(scalars), tuning_(tuning) {}

  /// From the highest window to the lowest: each sum counts 2^bits times as much as the next.
  Point<Curve> result() const {
    Point<Curve> sum = Point<Curve>::infinity();
    if (scalars_.empty()) return sum;
    for (unsigned end = Windows::in_scalar(tuning_.window_bits); end > 0;) {
      const unsigned count = std::min(end, tuning_.windows_at_once);
      end -= count;
      const std::vector<Point<Curve>> sums = window_sums({tuning_.window_bits, end, count});
      for (std::size_t i = sums.size(); i-- > 0;) sum = shifted(sum) + sums[i];
    }
    return sum;
  }

 private:
  std::vector<Point<Curve>> window_sums(const Windows& windows) const {
    DeviceBuffer<AffinePoint<Curve>> buckets =
        BucketSums<Curve>(queue_, points_.data(), sort_digits(queue_, scalars_, indices_, windows)).take();
    WeightedSums<Curve> weighted(queue_, buckets.size());
    return weighted.of(std::move(buckets), windows.bits - 1);
  }

  Point<Curve> shifted(Point<Curve> sum) const {
    for (unsigned k = 0; k < tuning_.window_bits; ++k) sum = sum.doubled();
    return sum;
  }

  const Queue& queue_;
  std::span<const AffinePoint<Curve>> points_;
  std::span<const u32> indices_;
  std::span<const Fr> scalars_;
  const MsmTuning& tuning_;
};

}  // namespace

template <class Curve>
Point<Curve> sum_windows(const Queue& queue, std::span<const AffinePoint<Curve>> points, std::span<const u32> indices,
                         std::span<const Fr> scalars, const MsmTuning& tuning) {
  return Msm<Curve>(queue, points, indices, scalars, tuning).result();
}

template G1 sum_windows(const Queue&, std::span<const G1Affine>, std::span<const u32>, std::span<const Fr>,
                        const MsmTuning&);
template G2 sum_windows(const Queue&, std::span<const G2Affine>, std::span<const u32>, std::span<const Fr>,
                        const MsmTuning&);

}  // namespace cuzk::cuda
