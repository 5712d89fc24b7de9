/// Signals and sums of variables, as gadget code writes them.
#pragma once

#include <vector>

#include "r1cs/variable.h"

namespace cuzk::r1cs {

/// What runs between gadgets: a variable (a number, or a bit), a negated bit, or a constant bit.
class Signal {
 public:
  Signal(Variable variable) : variable_(variable), kind_(Kind::plain) {}  // NOLINT: every variable is a signal
  static Signal constant(bool bit) {
    Signal signal(kOne);
    signal.kind_ = bit ? Kind::one : Kind::zero;
    return signal;
  }

  bool is_constant() const { return kind_ == Kind::zero || kind_ == Kind::one; }
  bool is_zero() const { return kind_ == Kind::zero; }  ///< the constant 0
  bool is_one() const { return kind_ == Kind::one; }    ///< the constant 1
  bool is_plain() const { return kind_ == Kind::plain; }
  bool is_negated() const { return kind_ == Kind::negated; }
  Variable variable() const { return variable_; }  ///< of a signal that is not constant

  /// The bit negated: no constraint is needed for that.
  Signal operator!() const {
    Signal result = *this;
    result.kind_ = static_cast<Kind>(static_cast<u32>(kind_) ^ 1);
    return result;
  }
  bool operator==(const Signal&) const = default;

 private:
  enum class Kind : u32 { zero = 0, one = 1, plain = 2, negated = 3 };
  Variable variable_;
  Kind kind_;
};

/// A sum of coefficient * variable. Terms may repeat until canonical() merges them.
class LinearCombination {
 public:
  LinearCombination() = default;
  LinearCombination(Variable variable) : terms_{{variable, Fr::one()}} {}  // NOLINT
  LinearCombination(Signal signal) { add(signal, Fr::one()); }             // NOLINT
  static LinearCombination constant(const Fr& value);

  LinearCombination& add(Variable variable, const Fr& coefficient) {
    terms_.push_back({variable, coefficient});
    return *this;
  }
  LinearCombination& add(Signal signal, const Fr& coefficient);
  LinearCombination& add(const LinearCombination& other, const Fr& coefficient);

  friend LinearCombination operator+(LinearCombination x, const LinearCombination& y) { return x.add(y, Fr::one()); }
  friend LinearCombination operator-(LinearCombination x, const LinearCombination& y) { return x.add(y, -Fr::one()); }
  friend LinearCombination operator*(LinearCombination x, const Fr& factor);

  /// Ascending variables, like terms merged, zeros dropped. It keeps a long sum that is used again short.
  LinearCombination& canonicalize();

  std::span<const Term> terms() const { return terms_; }

 private:
  std::vector<Term> terms_;
};

}  // namespace cuzk::r1cs
