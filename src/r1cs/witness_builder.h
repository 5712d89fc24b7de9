/// The builder that computes values: the same circuit function that a Compiler turns into matrices gives a Witness
/// here.
#pragma once

#include <stop_token>
#include <utility>

#include "base/error.h"
#include "r1cs/bit_string.h"
#include "r1cs/prepared_hashes.h"
#include "r1cs/witness.h"

namespace cuzk::r1cs {

/// Gadgets overloaded for this builder compute their outputs natively and append the values of their own variables, in
/// the order in which the gadget's constraints allocate them.
class WitnessBuilder {
 public:
  using Number = Fr;
  using Bits = BitString;

  /// stop: whoever wants the witness may want it no more.
  explicit WitnessBuilder(std::stop_token stop = {}) : stop_(std::move(stop)) {}

  /// Throws Error{cancelled} when it is not wanted any more. For between parts of milliseconds.
  void check_stop() const {
    if (stop_.stop_requested()) throw Error(Code::cancelled, "witness: cancelled by its caller");
  }

  void alloc_input(const Fr& value) { witness_.add_input(value); }
  Number alloc_number(const Fr& value) {
    witness_.add_element(value);
    return value;
  }

  /// Where gadgets append.
  Witness& witness() { return witness_; }

  /// Where gadgets find hashes that were computed ahead.
  PreparedHashes& prepared() { return prepared_; }

  /// Names are for compiled circuits only.
  struct Scope {
    ~Scope() {}
  };
  template <class Name>
  [[nodiscard]] Scope scope(Name&&) {
    return {};
  }

  Witness finish() && { return std::move(witness_); }

 private:
  std::stop_token stop_;
  Witness witness_;
  PreparedHashes prepared_;
};

}  // namespace cuzk::r1cs
