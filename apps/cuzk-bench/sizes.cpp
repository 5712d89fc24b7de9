#include "sizes.h"

#include "base/error.h"

namespace cuzk::apps {

void add_arithmetic_options(CLI::App& command, ArithmeticOptions& options, int most) {
  SizeOptions& sizes = options.sizes;
  command.add_option("--from", sizes.from, "logarithm of the least size")
      ->check(CLI::Range(0, most))
      ->capture_default_str();
  command.add_option("--to", sizes.to, "of the largest")->check(CLI::Range(0, most))->capture_default_str();
  command.add_option("--step", sizes.step, "from one to the next")->check(CLI::Range(1, most))->capture_default_str();
  command.add_option("--device", options.device, "cpu or cuda")
      ->check(CLI::IsMember({"cpu", "cuda"}))
      ->capture_default_str();
  measure::add_measure_options(command, options.measure);
}

std::vector<std::size_t> sizes_of(const SizeOptions& sizes) {
  if (sizes.from > sizes.to) throw invalid_input("--from {} is more than --to {}", sizes.from, sizes.to);
  std::vector<std::size_t> result;
  for (unsigned log2 = sizes.from; log2 <= sizes.to; log2 += sizes.step) result.push_back(std::size_t{1} << log2);
  return result;
}

}  // namespace cuzk::apps
