#include "ntt.h"

#include <bit>
#include <memory>

#include "base/buffer.h"
#include "common/provers.h"
#include "field_inputs.h"
#include "gpu_cases.h"
#include "measure/measured.h"
#include "poly/domain.h"
#include "poly/quotient.h"
#include "sizes.h"

namespace cuzk::apps {
namespace {

using measure::Case;

struct NttOptions : ArithmeticOptions {
  bool quotient = false;
};

unsigned log2_of(std::size_t size) { return static_cast<unsigned>(std::countr_zero(size)); }

Buffer<Fr> buffer_of(const std::vector<Fr>& values) {
  Buffer<Fr> buffer(values.size());
  std::ranges::copy(values, buffer.begin());
  return buffer;
}

using Direction = void (Domain::*)(std::span<Fr>, ThreadPool&) const;

Case transform(const std::string& name, std::size_t size, Direction direction) {
  return {name,
          [=] {
            auto domain = std::make_shared<Domain>(log2_of(size));
            auto values = std::make_shared<Buffer<Fr>>(buffer_of(scalars(size)));
            return measure::timed(
                [=] { ((*domain).*direction)(std::span<Fr>(values->data(), size), ThreadPool::shared()); });
          },
          static_cast<double>(size), "points"};
}

Case quotient_case(std::size_t size) {
  return {"quotient",
          [=] {
            auto domain = std::make_shared<Domain>(log2_of(size));
            auto values = std::make_shared<std::vector<Fr>>(scalars(size));
            return measure::timed([=] {
              quotient(*domain, buffer_of(*values), buffer_of(*values), buffer_of(*values), ThreadPool::shared());
            });
          },
          static_cast<double>(size), "points"};
}

std::vector<Case> cases_of(const NttOptions& options, std::size_t size) {
  if (options.device == "cuda") return gpu_ntt_cases(size);
  std::vector<Case> cases{transform("ntt.forward", size, &Domain::forward),
                          transform("ntt.coset_inverse", size, &Domain::coset_inverse)};
  if (options.quotient) cases.push_back(quotient_case(size));
  return cases;
}

void run_ntt(const NttOptions& options) {
  measure::run_measured("ntt", options.measure, [&](measure::Recorder& recorder) {
    for (const std::size_t size : sizes_of(options.sizes))
      for (const Case& each : cases_of(options, size)) recorder.measure(each);
  });
}

}  // namespace

void add_ntt(CLI::App& program) {
  auto options = std::make_shared<NttOptions>(NttOptions{{.sizes = {10, 18}}});
  auto* command = program.add_subcommand("ntt", "Times number-theoretic transforms, by size");
  add_arithmetic_options(*command, *options, 28);
  command->add_flag("--quotient", options->quotient, "cpu: also h = (a b - c) / Z, six transforms");
  command->footer("Example: cuzk-bench ntt --from 10 --to 20 --html ntt.html");
  command->callback([options] { run_ntt(*options); });
}

}  // namespace cuzk::apps
