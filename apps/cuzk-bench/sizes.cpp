#include "sizes.h"

#include "base/error.h"

namespace cuzk::apps {

void add_size_options(CLI::App& command, SizeOptions& sizes, int most) {
  command.add_option("--from", sizes.from, "logarithm of the least size")
      ->check(CLI::Range(0, most))
      ->capture_default_str();
  command.add_option("--to", sizes.to, "of the largest")->check(CLI::Range(0, most))->capture_default_str();
  command.add_option("--step", sizes.step, "from one to the next")->check(CLI::Range(1, most))->capture_default_str();
}

std::vector<std::size_t> sizes_of(const SizeOptions& sizes) {
  if (sizes.from > sizes.to) throw invalid_input("--from {} is more than --to {}", sizes.from, sizes.to);
  std::vector<std::size_t> result;
  for (unsigned log2 = sizes.from; log2 <= sizes.to; log2 += sizes.step) result.push_back(std::size_t{1} << log2);
  return result;
}

std::vector<Fr> scalars(std::size_t count) {
  std::vector<Fr> values(count);
  Fr x = Fr::from_u64(7).inverse();
  for (Fr& value : values) value = x = x.squared() + Fr::one();
  return values;
}

}  // namespace cuzk::apps
