/// Who makes the points of a key: multiples of the two generators.
#pragma once

#include <memory>
#include <span>

#include "base/thread_pool.h"
#include "curve/g1.h"
#include "curve/g2.h"
#include "field/fr.h"
#include "groth16/key_layout.h"

namespace cuzk::groth16 {

class GeneratorMultiples {
 public:
  virtual ~GeneratorMultiples() = default;

  /// Scalars, at most, that the functions below take.
  virtual std::size_t at_once() const = 0;

  /// points[i] = scalars[i] * generator; none of the scalars is zero. Both spans have the same size. Throws
  /// Error{cancelled} where its pool says so.
  virtual void multiply(std::span<const Fr> scalars, std::span<G1Affine> points) = 0;
  virtual void multiply(std::span<const Fr> scalars, std::span<G2Affine> points) = 0;
};

/// By the threads of the pool, which outlives it. Its tables are as large as pays for a key of these lengths, 78 MiB at most.
std::unique_ptr<GeneratorMultiples> multiples_by_threads(const KeyLengths& lengths, ThreadPool& pool);

}  // namespace cuzk::groth16
