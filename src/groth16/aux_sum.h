/// A sum over auxiliary variables of points that come in blocks: bits select points, field elements multiply them.
///
/// The latter's points are gathered over blocks, for a product of many costs less a point than products of few.
#pragma once

#include <span>
#include <vector>

#include "base/buffer.h"
#include "base/thread_pool.h"
#include "groth16/key_points.h"
#include "r1cs/witness.h"

namespace cuzk::groth16 {

/// The values and the pool must outlive it. One thread at a time.
template <class Curve>
class AuxSum {
 public:
  using Affine = AffinePoint<Curve>;

  /// A product is made when `enough` points are gathered; memory for that many and one block.
  AuxSum(const r1cs::DenseWitness& values, ThreadPool& pool, std::size_t enough = kLargestBlock<Affine>)
      : values_(values), pool_(pool), enough_(enough) {}

  /// The points from `first` on, a multiple of 64; blocks come in order and leave nothing out.
  void add(std::size_t first, std::span<const Affine> points);

  /// Once, after all points.
  Point<Curve> finish();

 private:
  void gather(std::size_t first, std::span<const Affine> points);
  void multiply();

  const r1cs::DenseWitness& values_;
  ThreadPool& pool_;
  std::size_t enough_;
  Point<Curve> sum_ = Point<Curve>::infinity();
  std::size_t multiplied_ = 0;  ///< of the values that are field elements
  std::vector<Affine, PageAllocator<Affine>> gathered_;
};

extern template class AuxSum<G1Curve>;
extern template class AuxSum<G2Curve>;

}  // namespace cuzk::groth16
