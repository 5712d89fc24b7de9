#include "msm.h"

#include <memory>

#include "gpu_cases.h"
#include "measure/measured.h"
#include "msm/conditional_sum.h"
#include "msm/fixed_base.h"
#include "msm/msm.h"
#include "point_inputs.h"
#include "sizes.h"

namespace cuzk::apps {
namespace {

using measure::Case;

struct MsmOptions : ArithmeticOptions {
  std::vector<std::string> groups{"g1", "g2"};
  std::vector<std::string> kinds{"product"};
};

template <class Affine>
measure::Sample product(std::size_t size) {
  auto points = std::make_shared<std::vector<Affine>>(points_of<Affine>(size));
  auto factors = std::make_shared<std::vector<Fr>>(scalars(size));
  return measure::timed([=] {
    msm::multi_scalar_mul(std::span<const Affine>(*points), std::span<const Fr>(*factors), ThreadPool::shared());
  });
}

template <class Affine>
measure::Sample sum_of_bits(std::size_t size) {
  auto points = std::make_shared<std::vector<Affine>>(points_of<Affine>(size));
  auto bits = std::make_shared<BitVector>();
  for (const Fr& scalar : scalars(size)) bits->push_back(scalar.montgomery_form()[0] % 2 != 0);
  return measure::timed([=] { msm::conditional_sum(std::span<const Affine>(*points), *bits, ThreadPool::shared()); });
}

template <class Affine>
measure::Sample fixed_base(std::size_t size) {
  using Curve = typename Affine::Curve;
  auto table = std::make_shared<msm::FixedBase<Curve>>(Point<Curve>::generator());
  auto factors = std::make_shared<std::vector<Fr>>(scalars(size));
  return measure::timed([=] { table->multiply(*factors, ThreadPool::shared()); });
}

template <class Affine>
measure::Sample sample_of(const std::string& kind, std::size_t size) {
  if (kind == "bits") return sum_of_bits<Affine>(size);
  return kind == "fixed" ? fixed_base<Affine>(size) : product<Affine>(size);
}

Case case_of(const std::string& group, const std::string& kind, std::size_t size) {
  const std::string name = (kind == "product" ? "msm." : kind + ".") + group;
  return {name, [=] { return group == "g1" ? sample_of<G1Affine>(kind, size) : sample_of<G2Affine>(kind, size); },
          static_cast<double>(size), kind == "fixed" ? "scalars" : "points"};
}

void run_msm(const MsmOptions& options) {
  measure::run_measured("msm", options.measure, [&](measure::Recorder& recorder) {
    for (const std::string& kind : options.kinds)
      for (const std::string& group : options.groups)
        for (const std::size_t size : sizes_of(options.sizes))
          recorder.measure(options.device == "cuda" ? gpu_msm_case(group, kind, size) : case_of(group, kind, size));
  });
}

}  // namespace

void add_msm(CLI::App& program) {
  auto options = std::make_shared<MsmOptions>(MsmOptions{{.sizes = {10, 16}}});
  auto* command = program.add_subcommand("msm", "Times multi-scalar products, by size");
  add_arithmetic_options(*command, *options, 27);
  command->add_option("--group", options->groups, "g1, g2")
      ->check(CLI::IsMember({"g1", "g2"}))
      ->delimiter(',')
      ->capture_default_str();
  command
      ->add_option("--kind", options->kinds,
                   "product; bits (points whose bit is set, half of them); fixed (multiples of one point, cpu alone)")
      ->check(CLI::IsMember({"product", "bits", "fixed"}))
      ->delimiter(',')
      ->capture_default_str();
  command->footer("Example: cuzk-bench msm --from 12 --to 20 --group g1 --without E2 --against self");
  command->callback([options] { run_msm(*options); });
}

}  // namespace cuzk::apps
