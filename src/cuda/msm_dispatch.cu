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
      const DeviceScalars& scalars, const MsmTuning& tuning)
      : queue_(queue), points_(points), indices_(indices), scalars_(scalars), tuning_(tuning) {}

  /// The buckets of all windows first: adding those up takes so many small steps that all windows take them together.
  Point<Curve> result() const {
    Point<Curve> sum = Point<Curve>::infinity();
    if (scalars_.empty()) return sum;
    const std::vector<Point<Curve>> sums = window_sums();
    for (std::size_t i = sums.size(); i-- > 0;) sum = shifted(sum) + sums[i];
    return sum;
  }

 private:
  /// One for each window, from the lowest.
  std::vector<Point<Curve>> window_sums() const {
    const unsigned bits = tuning_.window_bits, windows = Windows::in_scalar(bits);
    const std::size_t buckets_of_one = Windows{bits, 0, 1}.buckets();
    DeviceBuffer<AffinePoint<Curve>> buckets(queue_.memory, windows * buckets_of_one);
    for (unsigned first = 0; first < windows; first += tuning_.windows_at_once) {
      const Windows some{bits, first, std::min(windows - first, tuning_.windows_at_once)};
      BucketSums<Curve>(queue_, points_.data(), sort_digits(queue_, scalars_, indices_, some))
          .spread(buckets.span().subspan(first * buckets_of_one, some.buckets()));
    }
    WeightedSums<Curve> weighted(queue_, buckets.size());
    return weighted.of(std::move(buckets), bits - 1);
  }

  Point<Curve> shifted(Point<Curve> sum) const {
    for (unsigned k = 0; k < tuning_.window_bits; ++k) sum = sum.doubled();
    return sum;
  }

  const Queue& queue_;
  std::span<const AffinePoint<Curve>> points_;
  std::span<const u32> indices_;
  const DeviceScalars& scalars_;
  const MsmTuning& tuning_;
};

}  // namespace

template <class Curve>
Point<Curve> sum_windows(const Queue& queue, std::span<const AffinePoint<Curve>> points, std::span<const u32> indices,
                         const DeviceScalars& scalars, const MsmTuning& tuning) {
  return Msm<Curve>(queue, points, indices, scalars, tuning).result();
}

template G1 sum_windows(const Queue&, std::span<const G1Affine>, std::span<const u32>, const DeviceScalars&,
                        const MsmTuning&);
template G2 sum_windows(const Queue&, std::span<const G2Affine>, std::span<const u32>, const DeviceScalars&,
                        const MsmTuning&);

}  // namespace cuzk::cuda
