/// Variables, terms and constraints of a rank-1 constraint system over Fr.
#pragma once

#include <compare>
#include <span>

#include "base/types.h"
#include "field/fr.h"

namespace cuzk::r1cs {

/// A public input or an auxiliary (private) variable. Input 0 is ONE. The order is the canonical one: inputs by index,
/// then auxiliary variables by index.
class Variable {
 public:
  static constexpr Variable input(u32 index) { return Variable(index); }
  static constexpr Variable aux(u32 index) { return Variable(index | kAuxBit); }

  constexpr bool is_input() const { return (raw_ & kAuxBit) == 0; }
  constexpr u32 index() const { return raw_ & ~kAuxBit; }
  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the 0 in a defaulted comparison for a pointer
  constexpr auto operator<=>(const Variable&) const = default;

 private:
  static constexpr u32 kAuxBit = u32{1} << 31;
  constexpr explicit Variable(u32 raw) : raw_(raw) {}
  u32 raw_;
};

inline constexpr Variable kOne = Variable::input(0);

struct Term {
  Variable variable;
  Fr coefficient;
};

/// a * b = c; each side is in canonical form: ascending variables, no two equal, no coefficient zero.
struct Constraint {
  std::span<const Term> a, b, c;
};

}  // namespace cuzk::r1cs
