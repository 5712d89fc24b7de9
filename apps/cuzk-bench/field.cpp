#include "field.h"

#include <array>
#include <memory>

#include "curve/g1.h"
#include "curve/g2.h"
#include "curve/pairing.h"
#include "measure/measured.h"
#include "point_inputs.h"

namespace cuzk::apps {
namespace {

using measure::Case;
using measure::Reading;

struct FieldOptions {
  measure::MeasureOptions measure;
  unsigned rounds = 100'000;
};

/// What the compiler must believe to be read and changed.
template <class T>
void keep(T& value) {
  asm volatile("" : : "r"(&value) : "memory");
}

/// `step` on `chains` values in turn, none of which waits for another; nanoseconds for each step.
template <std::size_t kChains, class T, class Step>
Case chained(const std::string& name, unsigned rounds, const std::array<T, kChains>& begin, Step step) {
  return {name, [=] {
            return [=] {
              std::array<T, kChains> values = begin;
              const double ms = measure::time_ms([&] {
                for (unsigned i = 0; i < rounds; ++i) {
                  for (T& value : values) step(value);
                  keep(values);
                }
              });
              return std::vector<Reading>{{"", ms * 1e6 / (static_cast<double>(rounds) * kChains), "ns"}};
            };
          }};
}

template <class F>
void add_cases(std::vector<Case>& cases, const std::string& field, unsigned rounds) {
  const F y = element<F>(99);
  const std::array<F, 1> one{element<F>(3)};
  cases.push_back(chained(field + ".add", rounds, one, [y](F& x) { x += y; }));
  cases.push_back(chained(field + ".multiply", rounds, one, [y](F& x) { x *= y; }));
  cases.push_back(chained(field + ".multiply, eight in turn", rounds / 8 + 1, elements<F, 8>(), [y](F& x) { x *= y; }));
  cases.push_back(chained(field + ".square", rounds, one, [](F& x) { x = x.squared(); }));
  cases.push_back(chained(field + ".invert", rounds / 100 + 1, one, [y](F& x) { x = x.inverse() + y; }));
}

template <class Affine>
void add_point_cases(std::vector<Case>& cases, const std::string& group, unsigned rounds) {
  using P = Point<typename Affine::Curve>;
  const P generator = Affine::generator();
  cases.push_back(chained(group + ".add", rounds / 20 + 1, std::array<P, 1>{generator},
                          [other = point_step<Affine>()](P& p) { p += other; }));
  cases.push_back(chained(group + ".multiply", rounds / 10'000 + 1, std::array<P, 1>{generator},
                          [scalar = element<Fr>(5)](P& p) { p = p.to_affine() * scalar; }));
}

std::vector<Case> cases_of(unsigned rounds) {
  std::vector<Case> cases;
  add_cases<Fr>(cases, "fr", rounds);
  add_cases<Fp>(cases, "fp", rounds);
  add_cases<Fp2>(cases, "fp2", rounds);
  add_point_cases<G1Affine>(cases, "g1", rounds);
  add_point_cases<G2Affine>(cases, "g2", rounds);
  return cases;
}

void run_field(const FieldOptions& options) {
  measure::run_measured("field", options.measure, [&](measure::Recorder& recorder) {
    for (const Case& each : cases_of(options.rounds)) recorder.measure(each);
  });
}

}  // namespace

void add_field(CLI::App& program) {
  auto options = std::make_shared<FieldOptions>();
  auto* command = program.add_subcommand("field", "Times single operations of the fields and the curves' points");
  command->add_option("--operations", options->rounds, "multiplications of a sample; of the others in proportion")
      ->check(CLI::Range(1, 1'000'000'000))
      ->capture_default_str();
  measure::add_measure_options(*command, options->measure, measure::Switches::none);
  command->footer("Example: cuzk-bench field --samples 50 --json field.json");
  command->callback([options] { run_field(*options); });
}

}  // namespace cuzk::apps
