/// What was found best by measurement on each architecture, beside what kernels are compiled with: `cuzk-bench tune`
/// measures it again. A table that was not measured is derived from that of sm_90, and says so.
#pragma once

#include <array>
#include <span>

#include "cuda/device.h"

namespace cuzk::cuda {

struct Tuning {
  /// derived: windows and lists as measured on sm_90, for they depend on the ratio of one kernel's cost to another's; what
  /// counts as few points in proportion to the multiprocessors of the architecture's largest card.
  enum class Origin : u8 { measured, derived };

  unsigned architecture;  ///< 90 is sm_90
  Origin origin;
  std::array<u8, 28> window_bits;  ///< of a product (msm.h), by the logarithm of its scalars; the last is for all above
  unsigned even_from_bits;         ///< windows so wide are of two widths (windows.h)
  unsigned sums_per_thread;        ///< of a round of additions (pair_adder.cuh), where there are more than fit
  unsigned inversions_per_multiprocessor;
  unsigned totals_per_inversion;   ///< where fewer inversions do
  std::size_t few_points;          ///< up to so many are added up in projective coordinates (projective_sums.h)
  std::size_t few_weighed_points;  ///< and so many weighed
};

/// By architecture, ascending.
std::span<const Tuning> tunings();

/// The newest that is not newer than the device.
const Tuning& tuning_for(const DeviceProperties& device);

}  // namespace cuzk::cuda
