/// A compiled circuit: small sparse templates and the places where they stand.
///
/// It is one block of bytes and views into it (r1cs/circuit_image.h): 24 MB for a
/// partition of 32 GiB. It moves, it does not copy; const members may be called from any thread.
///
/// Every consumer walks the instances: nothing ever holds the expanded matrices. The appended constraints
/// `input_i * 0 = 0` (one for each input, ONE included) are part of a circuit: they are counted, streamed and evaluated
/// here, so that no consumer adds them again.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/bit_vector.h"
#include "base/buffer.h"
#include "base/thread_pool.h"
#include "r1cs/circuit_image.h"
#include "r1cs/variable.h"
#include "r1cs/witness.h"

namespace cuzk::r1cs {

/// Which variables occur, with a coefficient that is not zero, in A or in B.
struct Densities {
  BitVector a_aux, b_inputs, b_aux;
};

/// For every variable (inputs first, then aux) the sums over all constraints j of coefficient * weights[j].
struct ColumnSums {
  std::vector<Fr> a, b, c;
};

class Circuit {
 public:
  /// The circuit of no gadget: ONE, and its appended constraint.
  Circuit() = default;

  /// Throws Error{invalid_input} for an image that is none, as read_image() does.
  explicit Circuit(Buffer<u8> image);

  Circuit(Circuit&&) = default;
  Circuit& operator=(Circuit&&) = default;

  u32 inputs() const { return form_.inputs; }  ///< ONE included
  u32 aux() const { return form_.aux; }
  u64 constraints() const { return form_.gadget_constraints + form_.inputs; }  ///< the appended ones included
  unsigned log2_domain() const;  ///< of the smallest domain that holds all constraints

  /// Counted at the first call, some hundred milliseconds for 130 million variables, and kept.
  const Densities& densities() const;

  /// Number of terms of A, B, C.
  std::array<u64, 3> nonzeros() const;

  /// All constraints in order and canonical form. The spans live until the function returns.
  void for_each_constraint(const std::function<void(const Constraint&)>& visit) const;

  /// SHA-256 of the canonical stream (tests/vectors/r1cs/README.md).
  std::array<u8, 32> digest() const;

  /// a_j = A_j . w and so on, for j < constraints(); what the spans hold beyond is not touched.
  void evaluate(const Witness& witness, std::span<Fr> a, std::span<Fr> b, std::span<Fr> c, ThreadPool& pool) const;

  /// The transposed walk that setup needs; weights has constraints() entries at least.
  ColumnSums column_sums(std::span<const Fr> weights, ThreadPool& pool) const;

  /// The names that lead to a constraint, joined by '/': for messages.
  std::string path(u64 constraint) const;

  // The form itself; made by Compiler, read by provers on other devices. Instances are in order of their constraints,
  // without gaps; the appended constraints follow and have no instance.
  std::span<const Template> templates() const { return form_.templates; }
  std::span<const Instance> instances() const { return form_.instances; }
  std::span<const VariableRun> runs(const Instance& instance) const {
    return form_.runs.subspan(instance.first_run, instance.runs);
  }
  /// The constraints that instances make: all but the appended ones.
  u64 gadget_constraints() const { return form_.gadget_constraints; }

  /// The bytes that make this circuit again; empty for a circuit of no gadget.
  std::span<const u8> image() const;

 private:
  Buffer<u8> storage_;
  CircuitForm form_;  // views into the storage

  struct Derived {
    std::once_flag counted;
    Densities densities;
  };
  std::unique_ptr<Derived> derived_ = std::make_unique<Derived>();
};

/// One row of the canonical stream's progress, as in tests/vectors/r1cs: the state after `constraints` constraints.
struct Checkpoint {
  u64 constraints;
  u32 inputs, aux;  ///< allocated when the last of them is made
  std::array<u8, 32> digest;
  std::string path;  ///< of the last of them
};

/// After each multiple of `every` constraints.
std::vector<Checkpoint> checkpoints(const Circuit& circuit, u64 every);

}  // namespace cuzk::r1cs
