/// A compiled circuit as kernels read it: plain tables, all addresses of the device.
#pragma once

#include "base/types.h"
#include "field/fr.h"
#include "field/host_device.h"

namespace cuzk::cuda {

/// coefficient * local variable in one word, or the value of a wide row (r1cs/evaluation_program.h).
class PackedTerm {
 public:
  PackedTerm() = default;
  static PackedTerm small(u32 local, i32 coefficient) { return {local, coefficient}; }
  static PackedTerm wide(u32 row) { return {row, kWide}; }

  CUZK_HD i32 coefficient() const { return packed_ >> 24; }
  CUZK_HD u32 local() const { return static_cast<u32>(packed_) & 0xffffffU; }
  CUZK_HD bool is_wide() const { return coefficient() == kWide; }
  CUZK_HD u32 wide_row() const { return local(); }

 private:
  static constexpr i32 kWide = -128;  // coefficients are at most 127 either way
  PackedTerm(u32 local, i32 coefficient) : packed_(static_cast<i32>(local | static_cast<u32>(coefficient) << 24)) {}
  i32 packed_;
};

/// The rows of one of A, B, C: row j has the terms starts[j] .. starts[j + 1].
struct ProgramSide {
  const u32* starts;
  const PackedTerm* terms;
};

/// coefficient * (local + 2 (local + 1) + 4 (local + 2) + ...), at most 64 variables.
struct ProgramRun {
  u32 local, length;
  u32 coefficient;
};

/// A template's constraints; wide row j has the runs wide_starts[j] .. wide_starts[j + 1].
struct Program {
  ProgramSide a, b, c;
  const u32* wide_starts;
  const ProgramRun* runs;
  const Fr* coefficients;
  u32 externals, own;
  u32 rows, wide_rows;

  CUZK_HD u32 locals() const { return 1 + externals + own; }
};

/// Externals of an instance: consecutive variables that have the local numbers from `local` on.
struct PlacedRun {
  static constexpr u32 kInput = u32{1} << 31;

  u32 first;  ///< index of an auxiliary variable, or of an input with the highest bit set
  u32 count;
  u32 local;
};

struct PlacedInstance {
  u32 program;
  u32 first_aux;
  u64 first_constraint;
  u32 first_run, runs;
};

struct CircuitTables {
  const Program* programs;
  const PlacedInstance* instances;
  const PlacedRun* runs;
  const Fr* small_elements;  ///< the field's elements of -128 .. 127
  u32 count;                 ///< of instances
  u32 most_locals;           ///< of a template
  u32 most_wide_rows;        ///< of a template
};

}  // namespace cuzk::cuda
