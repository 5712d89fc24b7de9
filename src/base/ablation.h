/// Optimizations that a measurement may leave out, one at a time or several, to see what each is worth. The names are
/// those of the table "The nineteen" in bench/ledger.md, and of entries there.
///
/// For the whole process and for measurements only: results are the same with and without. Any thread may call; what is
/// under way may see a change or not.
#pragma once

#include <span>
#include <string_view>

namespace cuzk {

enum class Optimization : unsigned {
  sums_beside,     ///< A4
  kept_tables,     ///< B3
  fused_coset,     ///< C1
  wide_columns,    ///< C2
  short_blocks,    ///< D2
  chosen_windows,  ///< D4
  joint_buckets,   ///< D5
  prefetch,        ///< E2
  lists_ahead,
  even_windows,
  shared_tiles,
};

struct OptimizationName {
  Optimization optimization;
  std::string_view name;      ///< what --without takes
  std::string_view left_out;  ///< what is done instead
};
std::span<const OptimizationName> optimizations();

/// Throws Error{invalid_input} naming those that there are.
Optimization optimization_named(std::string_view name);

bool is_left_out(Optimization optimization);
void leave_out(Optimization optimization);
void leave_nothing_out();

}  // namespace cuzk
