/// The scalars whose multiples of the generators are the points of a key (setup.h), by vector.
#pragma once

#include <vector>

#include "base/thread_pool.h"
#include "field/fr.h"
#include "groth16/control.h"
#include "groth16/setup.h"
#include "groth16/verifying_key.h"
#include "r1cs/circuit.h"

namespace cuzk::groth16 {

/// Circuit and pool outlive it.
class KeyScalars {
 public:
  /// Evaluates the circuit's polynomials at tau. Throws as setup().
  KeyScalars(const r1cs::Circuit& circuit, const ToxicWaste& waste, ThreadPool& pool, const Control& control);

  VerifyingKey verifying_key() const;  ///< valid until the sums are used up

  /// Pieces of h and l: the scalars first .. first + count - 1.
  std::vector<Fr> h(std::size_t first, std::size_t count) const;
  std::vector<Fr> l(std::size_t first, std::size_t count) const;

  /// All of a, and all of b in G1 and G2, without the zeros; what they were made of is used up, and l can no longer be
  /// asked for.
  std::vector<Fr> take_a();
  std::vector<Fr> take_b();

 private:
  std::vector<Fr> combine(std::size_t first, std::size_t count, const Fr& divisor) const;

  const r1cs::Circuit& circuit_;
  ToxicWaste waste_;
  ThreadPool& pool_;
  r1cs::ColumnSums sums_;
};

}  // namespace cuzk::groth16
