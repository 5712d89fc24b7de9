/// Enqueues the kernels of add_pairs.cuh, with the memory that they need kept from one call to the next.
///
/// The kernels are compiled for both curves and each list of pair_lists.cuh in pair_adder_g1.cu and pair_adder_g2.cu, and
/// nowhere else: they take the compiler minutes.
#pragma once

#include <algorithm>

#include "base/ablation.h"
#include "cuda/add_pairs.cuh"
#include "cuda/device_buffer.h"
#include "cuda/invert_totals.cuh"
#include "cuda/queue.h"
#include "cuda/tuning.h"
#include "curve/affine.h"

namespace cuzk::cuda {

/// Serves one queue.
template <class Curve>
class PairAdder {
 public:
  using Field = typename Curve::Field;
  using Affine = AffinePoint<Curve>;

  /// For lists of up to `most_sums` sums; takes 48 bytes for each (twice that for G2).
  PairAdder(const Queue& queue, std::size_t most_sums)
      : queue_(queue),
        tuning_(tuning_for(queue.device)),
        products_(queue.memory, most_sums),
        totals_(queue.memory, threads_for(most_sums)),
        products_of_totals_(queue.memory, totals_.size()) {}

  /// sums[place_of_sum(i)] = the sum of pair i. `bound` is at least the list's size, which only the device may know. No
  /// sum goes to a place that is an operand's.
  template <class Pairs>
  void add(const Affine* points, const Pairs& pairs, std::size_t bound, Affine* sums);

 private:
  using Tuning = PairTuning<Field>;

  std::size_t threads_for(std::size_t sums) const {
    const std::size_t at_once =
        std::size_t{queue_.device.multiprocessors} * Tuning::kBlocksPerMultiprocessor * Tuning::kThreads;
    const std::size_t turns = is_left_out(Optimization::short_blocks) ? 0 : sums / tuning_.sums_per_thread;
    const std::size_t wanted = std::min(std::max(at_once, turns), sums);
    return (wanted + Tuning::kThreads - 1) / Tuning::kThreads * Tuning::kThreads;
  }

  unsigned inversions_for(std::size_t totals) const {
    return std::min(blocks_for(totals, tuning_.totals_per_inversion),
                    queue_.device.multiprocessors * tuning_.inversions_per_multiprocessor);
  }

  const Queue& queue_;
  const cuda::Tuning& tuning_;
  DeviceBuffer<Field> products_;
  DeviceBuffer<Field> totals_;
  DeviceBuffer<Field> products_of_totals_;
};

}  // namespace cuzk::cuda
