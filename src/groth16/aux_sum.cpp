#include "groth16/aux_sum.h"

#include "msm/conditional_sum.h"
#include "msm/msm.h"

namespace cuzk::groth16 {

template <class Curve>
void AuxSum<Curve>::add(std::size_t first, std::span<const Affine> points) {
  sum_ += msm::conditional_sum(points, BitSpan{BitSpan(values_.ones).words + first / 64, points.size()}, pool_);
  gather(first, points);
  if (gathered_.size() >= enough_) multiply();
}

template <class Curve>
void AuxSum<Curve>::gather(std::size_t first, std::span<const Affine> points) {
  const auto rest = std::span<const u32>(values_.indices).subspan(multiplied_ + gathered_.size());
  for (const u32 index : rest) {
    if (index >= first + points.size()) break;
    gathered_.push_back(points[index - first]);
  }
}

template <class Curve>
void AuxSum<Curve>::multiply() {
  const auto scalars = std::span<const Fr>(values_.scalars).subspan(multiplied_, gathered_.size());
  sum_ += msm::multi_scalar_mul(std::span<const Affine>(gathered_), scalars, pool_);
  multiplied_ += gathered_.size();
  gathered_.clear();
}

template <class Curve>
Point<Curve> AuxSum<Curve>::finish() {
  multiply();
  return sum_;
}

template class AuxSum<G1Curve>;
template class AuxSum<G2Curve>;

}  // namespace cuzk::groth16
