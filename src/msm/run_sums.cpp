#include "msm/run_sums.h"

namespace cuzk::msm {

template <class Curve>
void RunSums<Curve>::clear() {
  points_.clear();
  lengths_.clear();
  run_begin_ = 0;
}

template <class Curve>
void RunSums<Curve>::end_run() {
  if (points_.size() == run_begin_) points_.push_back(Affine::infinity());
  lengths_.push_back(points_.size() - run_begin_);
  run_begin_ = points_.size();
}

template <class Curve>
std::span<const AffinePoint<Curve>> RunSums<Curve>::sum() {
  while (points_.size() != lengths_.size()) round();
  return points_;
}

/// Halves every run: pairs become their sums, an odd last point goes over as it is.
template <class Curve>
void RunSums<Curve>::round() {
  next_.resize(points_.size());
  pairs_.clear();
  const Affine* from = points_.data();
  Affine* to = next_.data();
  for (std::size_t& length : lengths_) {
    for (std::size_t i = 0; i + 1 < length; i += 2) pairs_.push_back({from + i, to++});
    if (length % 2 != 0) *to++ = from[length - 1];
    from += length;
    length = length - length / 2;
  }
  next_.resize(static_cast<std::size_t>(to - next_.data()));
  add_pairs<Curve>(pairs_, scratch_);
  points_.swap(next_);
}

template class RunSums<G1Curve>;
template class RunSums<G2Curve>;

}  // namespace cuzk::msm
