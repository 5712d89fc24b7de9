/// Sums of many runs of points at once, in affine coordinates: what every sum of this room is made of.
///
/// In rounds, all neighbours within their runs are added in pairs, and all additions of a round share one inversion in
/// the field (Montgomery's trick): 5 multiplications and a squaring for each. Any points are right: equal, opposite,
/// infinity.
/// Source: Schwabe, Westerbaan, "Solving binary MQ with Grover's algorithm", Montgomery's trick for additions; Bos et
/// al., "Faster multi-scalar multiplication based on optimal double-base chains", for trees of them.
#pragma once

#include <span>
#include <vector>

#include "msm/add_pairs.h"

namespace cuzk::msm {

/// Runs of points under construction, and their sums. Not for use by several threads at a time.
template <class Curve>
class RunSums {
 public:
  using Affine = AffinePoint<Curve>;

  /// Empties it; the memory is kept.
  void clear();

  /// Adds a point to the run that is being made.
  void push(const Affine& point) { points_.push_back(point); }
  /// Ends the run; an empty one sums to infinity.
  void end_run();

  /// The sum of every run, in their order; valid until the next clear().
  std::span<const Affine> sum();

 private:
  void round();

  std::vector<Affine> points_, next_;
  std::vector<std::size_t> lengths_;  ///< of the runs, none of them 0
  std::size_t run_begin_ = 0;
  std::vector<PairSum<Curve>> pairs_;
  PairScratch scratch_;
};

extern template class RunSums<G1Curve>;
extern template class RunSums<G2Curve>;

}  // namespace cuzk::msm
