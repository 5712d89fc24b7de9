#include "cuda/tuning.h"

#include <algorithm>
#include <iterator>

namespace cuzk::cuda {
namespace {

/// Measured at 2^18 to 2^24 and at 2^27, where neighbours differ by some percent (bench/ledger.md); the others are taken
/// from the count of additions, windows * (scalars + 2 buckets).
constexpr Tuning kHopper{.architecture = 90,
                         .origin = Tuning::Origin::measured,
                         .window_bits = {3,  3,  3,  3,  4,  5,  6,  7,  7,  8,  9,  10, 10, 11,
                                         12, 13, 13, 13, 16, 16, 16, 16, 16, 20, 20, 20, 22, 24},
                         .even_from_bits = 24,
                         .sums_per_thread = 40,
                         .inversions_per_multiprocessor = 8,
                         .totals_per_inversion = 128,
                         .few_points = std::size_t{1} << 16,
                         .few_weighed_points = std::size_t{1} << 19};
constexpr unsigned kHopperMultiprocessors = 132;

constexpr Tuning derived(unsigned architecture, unsigned multiprocessors) {
  Tuning tuning = kHopper;
  tuning.architecture = architecture;
  tuning.origin = Tuning::Origin::derived;
  tuning.few_points = kHopper.few_points * multiprocessors / kHopperMultiprocessors;
  tuning.few_weighed_points = kHopper.few_weighed_points * multiprocessors / kHopperMultiprocessors;
  return tuning;
}

constexpr std::array kTunings{derived(80, 108), derived(86, 84),   derived(89, 142),
                              kHopper,          derived(100, 148), derived(120, 170)};

}  // namespace

std::span<const Tuning> tunings() { return kTunings; }

const Tuning& tuning_for(const DeviceProperties& device) {
  const unsigned architecture = static_cast<unsigned>(10 * device.major + device.minor);
  const auto newer = std::ranges::upper_bound(kTunings, architecture, {}, &Tuning::architecture);
  return newer == kTunings.begin() ? kTunings.front() : *std::prev(newer);
}

}  // namespace cuzk::cuda
