/// A template's constraints as plain tables, made for evaluation by a processor or a device.
///
/// Nearly all rows of a circuit of bits are small: a few terms with coefficients such as 1, -1 and 2. Their values are
/// small integers, found by adding up bytes. The others are wide; most of their terms come in runs of neighbouring
/// variables whose coefficients double from one to the next, so that the bits of a run, read as one integer, meet one
/// coefficient. A wide row that occurs several times, as the factors of a square do, is kept once.
#pragma once

#include <vector>

#include "r1cs/template.h"

namespace cuzk::r1cs {

struct EvaluationProgram {
  /// coefficient * local variable, in one word.
  class SmallTerm {
   public:
    static constexpr u32 kLocals = u32{1} << 24;
    static constexpr i32 kLargest = 127;  ///< coefficients, and the sum of their sizes in a row

    SmallTerm(u32 local, i32 coefficient) : packed_(static_cast<i32>(local | static_cast<u32>(coefficient) << 24)) {}
    u32 local() const { return static_cast<u32>(packed_) & (kLocals - 1); }
    i32 coefficient() const { return packed_ >> 24; }

   private:
    i32 packed_;
  };

  /// Rows one after another that have the same number of small terms.
  struct Block {
    u32 rows, terms;
  };

  /// A row that has the value of a wide row; among the blocks it stands with no term.
  struct WideUse {
    u32 row, wide;
  };

  struct Side {
    std::vector<Block> blocks;
    std::vector<SmallTerm> terms;  // of all blocks, row by row
    std::vector<WideUse> wide;     // ascending rows
  };

  /// coefficient * (local + 2 (local + 1) + 4 (local + 2) + ...), at most 64 variables.
  struct Run {
    u32 local, length;
    u32 coefficient;  // place in Template::coefficients
  };

  Side a, b, c;
  std::vector<Run> runs;            // of all wide rows
  std::vector<u32> wide_starts{0};  // wide row j has the runs wide_starts[j] .. wide_starts[j + 1]

  std::span<const Run> wide_row(std::size_t j) const {
    return std::span(runs).subspan(wide_starts[j], wide_starts[j + 1] - wide_starts[j]);
  }
  std::size_t wide_rows() const { return wide_starts.size() - 1; }
};

EvaluationProgram make_evaluation_program(const Template& form);

}  // namespace cuzk::r1cs
