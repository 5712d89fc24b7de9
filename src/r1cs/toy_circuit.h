/// The smallest circuit that has everything: x^3 + x + 5 = y for a public y. For tests, for trying out keys and
/// provers.
#pragma once

#include "r1cs/compiler.h"
#include "r1cs/witness_builder.h"

namespace cuzk::r1cs {

/// x * x = x2; x2 * x = x3; (x3 + x + 5) * 1 = y.
struct ToyGadget {
  static std::string key() { return "toy"; }

  /// inputs: x, y.
  static std::vector<Signal> record(Recorder& recorder, std::span<const Signal> inputs) {
    const Signal x = inputs[0], y = inputs[1];
    const Signal x2 = recorder.alloc();
    recorder.enforce(x, x, x2);
    const Signal x3 = recorder.alloc();
    recorder.enforce(x2, x, x3);
    recorder.enforce(LinearCombination(x3) + x + LinearCombination::constant(Fr::from_u64(5)), kOne, y);
    return {};
  }
};

inline Circuit compile_toy() {
  Compiler compiler;
  const Signal x = compiler.alloc_number();
  const Signal y = compiler.alloc_input();
  compiler.place(ToyGadget{}, std::array{x, y});
  return std::move(compiler).finish();
}

inline Witness toy_witness(const Fr& x) {
  const Fr x2 = x * x, x3 = x2 * x;
  WitnessBuilder builder;
  builder.alloc_number(x);
  builder.alloc_input(x3 + x + Fr::from_u64(5));
  builder.witness().add_elements(std::array{x2, x3});
  return std::move(builder).finish();
}

}  // namespace cuzk::r1cs
