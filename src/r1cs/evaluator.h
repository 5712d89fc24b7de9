/// a = A w, b = B w, c = C w of a witness w, template by template: the matrices are never expanded.
#pragma once

#include <functional>
#include <vector>

#include "base/thread_pool.h"
#include "r1cs/circuit.h"
#include "r1cs/evaluation_program.h"
#include "r1cs/witness.h"

namespace cuzk::r1cs {

/// Keeps a reference to the circuit, and a program for each template. Making it costs some 10 ns a term of the
/// templates (20 ms for a partition of 32 GiB). Threads: const members may be called from any thread.
class Evaluator {
 public:
  explicit Evaluator(const Circuit& circuit);

  /// a_j = A_j . w and so on, for j < constraints(); what the spans hold beyond is not touched. A side whose
  /// span is empty is left out. Throws Error{internal} for a witness of another shape, and for spans that are too short. A witness that is not plain is written out for
  /// the time of the call, here and below.
  void evaluate(const Witness& witness, std::span<Fr> a, std::span<Fr> b, std::span<Fr> c, ThreadPool& pool) const;

  /// Constraint `first` and the following ones.
  struct Slice {
    u64 first;
    std::span<const Fr> a, b, c;
  };

  /// The same in order, about a million constraints at a time: 100 MB instead of 12 GB for a partition of 32 GiB. The
  /// spans live until visit returns.
  void for_each_slice(const Witness& witness, ThreadPool& pool, const std::function<void(const Slice&)>& visit) const;

  /// Where the values of one slice go: largest_slice() of each.
  struct Room {
    std::span<Fr> a, b, c;
  };
  /// The same where the caller has the memory, pinned for a device for example, and may still read it when the next
  /// slices are made: next_room() is asked before each.
  void for_each_slice(const Witness& witness, ThreadPool& pool, const std::function<Room()>& next_room,
                      const std::function<void(const Slice&)>& visit) const;

  /// The most constraints that a slice has.
  u64 largest_slice() const;

 private:
  void check_shape(const Witness& witness) const;
  void evaluate_instances(const Witness& witness, std::size_t first, std::size_t last, std::span<Fr> a, std::span<Fr> b,
                          std::span<Fr> c, ThreadPool& pool) const;
  static void evaluate_appended(const Witness& witness, std::span<Fr> a, std::span<Fr> b, std::span<Fr> c);

  const Circuit& circuit_;
  std::vector<EvaluationProgram> programs_;  // by template
};

}  // namespace cuzk::r1cs
