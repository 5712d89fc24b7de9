#include "groth16/known_statement.h"

#include "r1cs/compiler.h"
#include "r1cs/witness_builder.h"

namespace cuzk::groth16 {
namespace {

using r1cs::LinearCombination;
using r1cs::Recorder;
using r1cs::Signal;

constexpr unsigned kRounds = 64, kBits = 60;

/// n of each round: any numbers whose bits are mixed.
constexpr u64 number_of(unsigned round) { return (round + 1) * u64{0x9e3779b97f4a7c15} >> (64 - kBits); }

/// (v + n)^2 = next, each bit of n being 0 or 1.
struct RoundGadget {
  static std::string key() { return "known round"; }

  static std::vector<Signal> record(Recorder& recorder, std::span<const Signal> inputs) {
    LinearCombination sum(inputs[0]);
    for (unsigned i = 0; i < kBits; ++i) {
      const Signal bit = recorder.alloc();
      recorder.enforce(bit, !bit, LinearCombination());
      sum.add(bit, Fr::from_u64(u64{1} << i));
    }
    const Signal next = recorder.alloc();
    recorder.enforce(sum, sum, next);
    return {next};
  }
};

struct EqualGadget {
  static std::string key() { return "known end"; }

  static std::vector<Signal> record(Recorder& recorder, std::span<const Signal> inputs) {
    recorder.enforce(inputs[0], r1cs::kOne, inputs[1]);
    return {};
  }
};

r1cs::Circuit compile_known() {
  r1cs::Compiler compiler;
  const Signal end = compiler.alloc_input();
  std::vector<Signal> value{compiler.alloc_number()};
  for (unsigned round = 0; round < kRounds; ++round) value = compiler.place(RoundGadget{}, value);
  compiler.place(EqualGadget{}, std::array{value[0], end});
  return std::move(compiler).finish();
}

Fr first_value() { return Fr::from_u64(3); }

Fr after(const Fr& value, unsigned round) { return (value + Fr::from_u64(number_of(round))).squared(); }

r1cs::Witness known_witness(const Fr& end) {
  r1cs::WitnessBuilder builder;
  builder.alloc_input(end);
  Fr value = first_value();
  builder.alloc_number(value);
  for (unsigned round = 0; round < kRounds; ++round) {
    value = after(value, round);
    builder.witness().add_bits(number_of(round), kBits);
    builder.witness().add_element(value);
  }
  return std::move(builder).finish();
}

}  // namespace

KnownStatement known_statement() {
  Fr end = first_value();
  for (unsigned round = 0; round < kRounds; ++round) end = after(end, round);
  const auto waste = [](unsigned i) { return Fr::from_u64(number_of(100 + i)); };
  return {.circuit = compile_known(),
          .witness = known_witness(end),
          .waste = {.alpha = waste(0), .beta = waste(1), .gamma = waste(2), .delta = waste(3), .tau = waste(4)},
          .public_inputs = {end}};
}

}  // namespace cuzk::groth16
