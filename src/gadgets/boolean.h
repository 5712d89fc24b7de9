/// Boolean logic on bits that may be constants or negated: constants are folded, a negation costs nothing.
///
/// The rules of folding decide which variables exist, so they stand here once, as templates over "steps": with
/// BooleanConstraints a step allocates a variable and its constraint, with BooleanValues it appends the variable's
/// value.
#pragma once

#include <utility>

#include "gadgets/number.h"

namespace cuzk::gadgets {

/// A bit's value together with what kind of signal it is: the native counterpart of Signal.
class BitValue {
 public:
  BitValue(bool value, bool variable, bool negated) : value_(value), variable_(variable), negated_(negated) {}
  static BitValue constant(bool value) { return {value, false, false}; }
  static BitValue plain(bool value) { return {value, true, false}; }

  bool is_constant() const { return !variable_; }
  bool is_zero() const { return !variable_ && !value_; }
  bool is_one() const { return !variable_ && value_; }
  bool is_negated() const { return negated_; }
  bool value() const { return value_; }
  BitValue operator!() const { return {!value_, variable_, variable_ && !negated_}; }

 private:
  bool value_, variable_, negated_;
};

class BooleanConstraints {
 public:
  using Bit = Signal;
  explicit BooleanConstraints(Recorder& recorder) : recorder_(recorder) {}

  Recorder& recorder() { return recorder_; }

  Bit alloc_bit();  ///< (1 - b) * b = 0
  /// Of two plain variables: (a + a) * b = a + b - xor.
  Bit alloc_xor(Bit a, Bit b);
  /// Of two variables: a * b = and.
  Bit alloc_and(Bit a, Bit b);
  /// c and b are variables; a is no constant 0: (b - c) * a = ch - c.
  Bit alloc_ch(Bit a, Bit b, Bit c);
  /// Of three variables, after which stands b and c: (2 bc - b - c) * a = bc - maj.
  Bit alloc_maj(Bit a, Bit b, Bit c);

 private:
  Recorder& recorder_;
};

/// The same steps as values.
class BooleanValues {
 public:
  using Bit = BitValue;
  explicit BooleanValues(BitVector& bits) : bits_(bits) {}

  Bit alloc_xor(Bit a, Bit b) { return alloc(a.value() != b.value()); }
  Bit alloc_and(Bit a, Bit b) { return alloc(a.value() && b.value()); }
  Bit alloc_ch(Bit a, Bit b, Bit c) { return alloc(a.value() ? b.value() : c.value()); }
  Bit alloc_maj(Bit a, Bit b, Bit c) {
    const bool both = b.value() && c.value();
    const Bit majority = alloc(both || (a.value() && (b.value() || c.value())));
    alloc(both);
    return majority;
  }

 protected:
  /// `count` (at most 64) variables, lowest first.
  void append(u64 values, unsigned count) { bits_.append(values, count); }

 private:
  Bit alloc(bool value) {
    bits_.push_back(value);
    return Bit::plain(value);
  }

  BitVector& bits_;
};

template <class Steps>
using BitOf = typename Steps::Bit;

template <class Steps>
BitOf<Steps> exclusive_or(Steps& steps, BitOf<Steps> a, BitOf<Steps> b) {
  if (a.is_constant()) return a.is_one() ? !b : b;
  if (b.is_constant()) return b.is_one() ? !a : a;
  if (a.is_negated() == b.is_negated()) return a.is_negated() ? steps.alloc_xor(!a, !b) : steps.alloc_xor(a, b);
  return a.is_negated() ? !steps.alloc_xor(b, !a) : !steps.alloc_xor(a, !b);
}

template <class Steps>
BitOf<Steps> both(Steps& steps, BitOf<Steps> a, BitOf<Steps> b) {
  if (a.is_zero() || b.is_zero()) return BitOf<Steps>::constant(false);
  if (a.is_one()) return b;
  if (b.is_one()) return a;
  return a.is_negated() && !b.is_negated() ? steps.alloc_and(b, a) : steps.alloc_and(a, b);
}

/// a ? b : c, the "choice" of SHA-256.
template <class Steps>
BitOf<Steps> sha256_ch(Steps& steps, BitOf<Steps> a, BitOf<Steps> b, BitOf<Steps> c) {
  if (a.is_constant() && b.is_constant() && c.is_constant()) return a.is_one() ? b : c;
  if (a.is_zero()) return c;
  if (b.is_zero()) return both(steps, !a, c);
  if (c.is_zero()) return both(steps, a, b);
  if (c.is_one()) return !both(steps, a, !b);
  if (b.is_one()) return !both(steps, !a, !c);
  return steps.alloc_ch(a, b, c);
}

/// What at least two of a, b, c say, the "majority" of SHA-256.
template <class Steps>
BitOf<Steps> sha256_maj(Steps& steps, BitOf<Steps> a, BitOf<Steps> b, BitOf<Steps> c) {
  if (a.is_constant() && b.is_constant() && c.is_constant()) {
    return BitOf<Steps>::constant((a.is_one() && b.is_one()) || (a.is_one() && c.is_one()) ||
                                  (b.is_one() && c.is_one()));
  }
  if (a.is_zero()) return both(steps, b, c);
  if (b.is_zero()) return both(steps, a, c);
  if (c.is_zero()) return both(steps, a, b);
  if (c.is_one()) return !both(steps, !a, !b);
  if (b.is_one()) return !both(steps, !a, !c);
  if (a.is_one()) return !both(steps, !b, !c);
  return steps.alloc_maj(a, b, c);
}

/// 0 * 0 = a - b; throws Error{internal} for two constants that differ.
void enforce_equal_bits(Recorder& recorder, Signal a, Signal b);

/// New bits from the `count` (at most 64) lowest of value, lowest first.
std::vector<Signal> alloc_bits(Compiler& builder, u64 value, unsigned count);
BitString alloc_bits(WitnessBuilder& builder, u64 value, unsigned count);

}  // namespace cuzk::gadgets
