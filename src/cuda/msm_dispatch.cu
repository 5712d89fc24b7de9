#include <algorithm>
#include <memory>
#include <optional>

#include "cuda/bucket_sums.cuh"
#include "cuda/msm_dispatch.h"
#include "cuda/weighted_sums.cuh"

namespace cuzk::cuda {
namespace {

/// Digits of all windows from which on a stream of its own for the lists gains more than it costs to make.
constexpr std::size_t kWorthAStream = std::size_t{1} << 22;

template <class Curve>
class Msm {
 public:
  Msm(const Queue& queue, std::span<const AffinePoint<Curve>> points, std::span<const u32> indices,
      const DeviceScalars& scalars, const MsmTuning& tuning)
      : queue_(queue),
        points_(points),
        indices_(indices),
        scalars_(scalars),
        windows_{tuning.window_bits, tuning.multiples},
        at_once_(tuning.windows_at_once) {}

  /// The buckets of all windows first: adding those up takes so many small steps that all windows take them together.
  Point<Curve> result() const {
    Point<Curve> sum = Point<Curve>::infinity();
    if (scalars_.empty()) return sum;
    const std::vector<Point<Curve>> sums = window_sums();
    for (std::size_t i = sums.size(); i-- > 0;) sum = shifted(sum) + sums[i];
    return sum;
  }

 private:
  /// One for each set of windows, from the lowest. While the items of some windows are added up, those of the next are sorted.
  std::vector<Point<Curve>> window_sums() const {
    const unsigned sets = windows_.sets_in_scalar();
    std::optional<Stream> low;
    if (scalars_.size() * Windows::in_scalar(windows_.bits) >= kWorthAStream) low.emplace(StreamPriority::low);
    const Stream& ahead = low ? *low : queue_.stream;
    const std::size_t of_one = windows_.buckets_of_one();
    DeviceBuffer<AffinePoint<Curve>> buckets(queue_.memory, sets * of_one);
    auto lists = lists_from(0, ahead);
    for (unsigned first = 0; first < sets; first += at_once_) {
      lists->list_rounds();
      std::unique_ptr<SumLists> next;
      if (first + at_once_ < sets) next = lists_from(first + at_once_, ahead);
      BucketSums<Curve>(queue_, points_.data(), *lists)
          .spread(buckets.span().subspan(first * of_one, lists->buckets()));
      lists = std::move(next);
    }
    WeightedSums<Curve> weighted(queue_, buckets.size());
    return weighted.of(std::move(buckets), windows_.bits - 1);
  }

  /// Of the sets of windows that are taken at once, `first` being the lowest.
  std::unique_ptr<SumLists> lists_from(unsigned first, const Stream& stream) const {
    const Windows some = windows_.part(first, std::min(windows_.sets_in_scalar() - first, at_once_));
    return std::make_unique<SumLists>(queue_, stream, scalars_, indices_, points_.size() / windows_.multiples, some);
  }

  Point<Curve> shifted(Point<Curve> sum) const {
    for (unsigned k = 0; k < windows_.bits; ++k) sum = sum.doubled();
    return sum;
  }

  const Queue& queue_;
  std::span<const AffinePoint<Curve>> points_;
  std::span<const u32> indices_;
  const DeviceScalars& scalars_;
  const Windows windows_;
  const unsigned at_once_;
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
