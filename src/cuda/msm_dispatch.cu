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
  /// One for each window, from the lowest. While the items of some windows are added up, those of the next are sorted.
  std::vector<Point<Curve>> window_sums() const {
    const unsigned windows = Windows::in_scalar(tuning_.window_bits);
    std::optional<Stream> low;
    if (scalars_.size() * windows >= kWorthAStream) low.emplace(StreamPriority::low);
    const Stream& ahead = low ? *low : queue_.stream;
    const std::size_t of_one = Windows{tuning_.window_bits, 0, 1}.buckets();
    DeviceBuffer<AffinePoint<Curve>> buckets(queue_.memory, windows * of_one);
    auto lists = lists_from(0, ahead);
    for (unsigned first = 0; first < windows; first += tuning_.windows_at_once) {
      lists->list_rounds();
      std::unique_ptr<SumLists> next;
      if (first + tuning_.windows_at_once < windows) next = lists_from(first + tuning_.windows_at_once, ahead);
      BucketSums<Curve>(queue_, points_.data(), *lists)
          .spread(buckets.span().subspan(first * of_one, lists->buckets()));
      lists = std::move(next);
    }
    WeightedSums<Curve> weighted(queue_, buckets.size());
    return weighted.of(std::move(buckets), tuning_.window_bits - 1);
  }

  /// Of the windows that are taken at once, `first` being the lowest.
  std::unique_ptr<SumLists> lists_from(unsigned first, const Stream& stream) const {
    const unsigned bits = tuning_.window_bits, windows = Windows::in_scalar(bits);
    const Windows some{bits, first, std::min(windows - first, tuning_.windows_at_once)};
    return std::make_unique<SumLists>(queue_, stream, scalars_, indices_, some);
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
