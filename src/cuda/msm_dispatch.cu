#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>

#include "base/ablation.h"
#include "cuda/bucket_sums.cuh"
#include "cuda/flip.h"
#include "cuda/msm_dispatch.h"
#include "cuda/pace.h"
#include "cuda/tuning.h"
#include "cuda/weighted_sums.cuh"

namespace cuzk::cuda {
namespace {

/// Digits of all windows from which on a stream of its own for the lists gains more than it costs to make.
constexpr std::size_t kWorthAStream = std::size_t{1} << 22;

/// Additions between two looks at the queue's stop: about 20 ms of an H200.
template <class Curve>
constexpr std::size_t kPiece = (std::size_t{1} << 26) * sizeof(Fp) / sizeof(typename Curve::Field);

/// Even ones have fewer buckets, but those of two sizes are added up one size after the other: at 2^24 points that costs
/// more than it saves.
Windows windows_of(const DeviceProperties& device, const MsmTuning& tuning) {
  const bool even = tuning.multiples == 1 && tuning.window_bits >= tuning_for(device).even_from_bits &&
                    !is_left_out(Optimization::even_windows);
  return even ? Windows::even(tuning.window_bits) : Windows::uniform(tuning.window_bits, tuning.multiples);
}

template <class Curve>
class Msm {
 public:
  Msm(const Queue& queue, std::span<const AffinePoint<Curve>> points, std::span<const u32> indices,
      const DeviceScalars& scalars, const MsmTuning& tuning)
      : queue_(queue),
        points_(points),
        indices_(indices),
        scalars_(scalars),
        windows_(windows_of(queue.device, tuning)),
        at_once_(tuning.windows_at_once) {}

  /// The buckets of all windows first: adding those up takes so many small steps that all windows take them together.
  Point<Curve> result() const {
    Point<Curve> sum = Point<Curve>::infinity();
    if (scalars_.empty()) return sum;
    const std::vector<Point<Curve>> sums = window_sums();
    for (unsigned i = windows_.sets(); i-- > 0;) sum = shifted(sum, windows_.width(i)) + sums[i];
    return sum;
  }

 private:
  /// One for each set of windows, from the lowest. While the items of some windows are added up, those of the next are sorted.
  std::vector<Point<Curve>> window_sums() const {
    const unsigned sets = windows_.sets();
    std::optional<Stream> low;
    if (scalars_.size() * windows_.all >= kWorthAStream && !is_left_out(Optimization::lists_ahead))
      low.emplace(StreamPriority::low);
    const Stream& ahead = low ? *low : queue_.stream;
    DeviceBuffer<AffinePoint<Curve>> buckets(queue_.memory, windows_.part(0, sets).buckets());
    Pace pace(queue_, kPiece<Curve>);
    auto lists = lists_from(0, ahead);
    for (unsigned first = 0; first < sets; first += at_once_) {
      lists->list_rounds();
      std::unique_ptr<SumLists> next;
      if (first + at_once_ < sets) next = lists_from(first + at_once_, ahead);
      BucketSums<Curve>(queue_, points_.data(), *lists, pace)
          .spread(buckets.span().subspan(windows_.part(0, first).buckets(), lists->buckets()));
      lists = std::move(next);
    }
    may_flip("cuda.flip.buckets", queue_, buckets.span());
    return weighted(buckets.span());
  }

  /// The sums of the wide sets' buckets, then of the narrow ones'.
  std::vector<Point<Curve>> weighted(std::span<const AffinePoint<Curve>> buckets) const {
    if (is_left_out(Optimization::joint_buckets)) return weighted_apart(buckets);
    const unsigned sets = windows_.sets(), wide = std::min(windows_.wide, sets);
    const std::size_t of_wide = windows_.part(0, wide).buckets();
    WeightedSums<Curve> sums(queue_, std::max(of_wide, buckets.size() - of_wide));
    std::vector<Point<Curve>> all = sums.of(buckets.first(of_wide), windows_.bits - 1);
    if (wide < sets) std::ranges::copy(sums.of(buckets.subspan(of_wide), windows_.bits - 2), std::back_inserter(all));
    return all;
  }

  std::vector<Point<Curve>> weighted_apart(std::span<const AffinePoint<Curve>> buckets) const {
    std::vector<Point<Curve>> all;
    for (unsigned set = 0; set < windows_.sets(); ++set) {
      const auto own = buckets.subspan(windows_.part(0, set).buckets(), windows_.buckets_of(set));
      all.push_back(WeightedSums<Curve>(queue_, own.size()).of(own, windows_.width(set) - 1).front());
    }
    return all;
  }

  /// Of the sets of windows that are taken at once, `first` being the lowest.
  std::unique_ptr<SumLists> lists_from(unsigned first, const Stream& stream) const {
    const Windows some = windows_.part(first, std::min(windows_.sets() - first, at_once_));
    return std::make_unique<SumLists>(queue_, stream, scalars_, indices_, points_.size() / windows_.multiples, some);
  }

  static Point<Curve> shifted(Point<Curve> sum, unsigned bits) {
    for (unsigned k = 0; k < bits; ++k) sum = sum.doubled();
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
