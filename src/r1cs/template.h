/// The compiled form: templates, and the instances that place them.
///
/// A template is the constraints of one gadget for one shape of its inputs, over local variables: 0 is
/// ONE, 1..externals are the variables that come in, the rest are the template's own. An instance says which variables
/// these are: the externals as runs of consecutive variables, the own ones from first_aux on. Externals are numbered by
/// ascending variable, so that local order is canonical order and a row of a template needs no sorting.
///
/// Everything here is a view into the block of bytes that a Circuit owns or has mapped (r1cs/circuit_image.h).
#pragma once

#include <span>
#include <string_view>

#include "r1cs/variable.h"

namespace cuzk::r1cs {

struct LocalTerm {
  u32 local;        ///< local variable
  u32 coefficient;  ///< place in Template::coefficients
};

/// One of A, B, C in compressed rows.
struct SparseRows {
  std::span<const u32> starts;  ///< row j has the terms starts[j] .. starts[j + 1]; one more than there are rows
  std::span<const LocalTerm> terms;

  std::span<const LocalTerm> row(std::size_t j) const { return terms.subspan(starts[j], starts[j + 1] - starts[j]); }
};

/// A place in a circuit's text.
struct TextRange {
  u32 first, length;
};

/// A name inside a template, for messages: it holds from this constraint on.
struct Mark {
  u32 constraint;
  TextRange name;
};

struct Template {
  std::string_view gadget;  ///< the gadget's key
  u32 externals, own;       ///< numbers of variables
  SparseRows a, b, c;
  std::span<const Fr> coefficients;  ///< distinct, none zero
  std::span<const u32> allocated;    ///< by constraint: own variables that exist when it is made
  std::span<const Mark> marks;

  u32 constraints() const { return static_cast<u32>(allocated.size()); }
  u32 locals() const { return 1 + externals + own; }
};

/// first, first + 1, ..., first + count - 1.
struct VariableRun {
  Variable first;
  u32 count;
};

struct Instance {
  u32 template_index;
  u32 first_aux;  ///< auxiliary index of its first own variable
  u64 first_constraint;
  u32 first_run, runs;  ///< its externals in Circuit::runs()
  u32 inputs;           ///< public inputs that exist when it is placed
  u32 scope;            ///< its name in Circuit::path()
};

}  // namespace cuzk::r1cs
