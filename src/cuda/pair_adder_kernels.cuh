/// PairAdder::add: for the files that compile it.
#pragma once

#include "cuda/add_pairs.cuh"
#include "cuda/error.h"
#include "cuda/pair_adder.cuh"
#include "cuda/pair_lists.cuh"

namespace cuzk::cuda {

template <class Curve>
template <class Pairs>
void PairAdder<Curve>::add(const Affine* points, const Pairs& pairs, std::size_t bound, Affine* sums) {
  if (bound == 0) return;
  const std::size_t threads = threads_for(bound);
  const unsigned blocks = blocks_for(threads, Tuning::kThreads);
  const cudaStream_t stream = queue_.stream.handle();
  multiply_denominators<<<blocks, Tuning::kThreads, 0, stream>>>(points, pairs, products_.data(), totals_.data());
  check_launch("multiply_denominators");
  invert_totals<<<inversions_for(threads), kWarp, 0, stream>>>(totals_.data(), products_of_totals_.data(), threads);
  check_launch("invert_totals");
  add_with_inverses<<<blocks, Tuning::kThreads, 0, stream>>>(points, pairs, products_.data(), totals_.data(), sums);
  check_launch("add_with_inverses");
}

}  // namespace cuzk::cuda
