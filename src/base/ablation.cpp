#include "base/ablation.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <string>

#include "base/error.h"

namespace cuzk {
namespace {

constexpr std::array kOptimizations{
    OptimizationName{Optimization::sums_beside, "A4", "the sums of the variables after the quotient, not beside it"},
    OptimizationName{Optimization::kept_tables, "B3",
                     "tables of the domain and the circuit taken to the device for each proof"},
    OptimizationName{Optimization::fused_coset, "C1", "powers of the coset multiplied in passes of their own"},
    OptimizationName{Optimization::wide_columns, "C2", "transforms read 32 bytes at a place, not 64"},
    OptimizationName{Optimization::short_blocks, "D2", "as many threads for additions as fit, each with more of them"},
    OptimizationName{Optimization::chosen_windows, "D4", "windows of 16 bits in every product"},
    OptimizationName{Optimization::joint_buckets, "D5", "the buckets of each window added up by themselves"},
    OptimizationName{Optimization::prefetch, "E2", "no points fetched ahead in the processor's products"},
    OptimizationName{Optimization::lists_ahead, "lists-ahead",
                     "digits sorted and sums listed between the additions, not beside them"},
    OptimizationName{Optimization::even_windows, "even-windows",
                     "windows of one width, however few bits are left for the last"},
    OptimizationName{Optimization::shared_tiles, "shared-tiles",
                     "each proof reads the tiles of a streamed key for itself"},
};

std::atomic<unsigned> left_out{0};

unsigned bit_of(Optimization optimization) { return 1U << static_cast<unsigned>(optimization); }

}  // namespace

std::span<const OptimizationName> optimizations() { return kOptimizations; }

Optimization optimization_named(std::string_view name) {
  const auto found = std::ranges::find(kOptimizations, name, &OptimizationName::name);
  if (found != kOptimizations.end()) return found->optimization;
  std::string names;
  for (const OptimizationName& known : kOptimizations) names += fmt::format(" {}", known.name);
  throw invalid_input("no optimization '{}'; there are{}", name, names);
}

bool is_left_out(Optimization optimization) {
  return (left_out.load(std::memory_order_relaxed) & bit_of(optimization)) != 0;
}
void leave_out(Optimization optimization) { left_out.fetch_or(bit_of(optimization), std::memory_order_relaxed); }
void leave_nothing_out() { left_out.store(0, std::memory_order_relaxed); }

}  // namespace cuzk
