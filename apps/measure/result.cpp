#include "measure/result.h"

#include <algorithm>

namespace cuzk::measure {

std::optional<Comparison> Measurement::comparison(std::size_t comparisons) const {
  if (!baseline) return std::nullopt;
  if (baseline->taken == Baseline::Taken::in_turn) return compare_pairs(samples, baseline->samples, comparisons);
  return compare(samples, baseline->samples, comparisons);
}

std::size_t Result::comparisons() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(measurements, [](const Measurement& each) { return each.baseline.has_value(); }));
}

}  // namespace cuzk::measure
