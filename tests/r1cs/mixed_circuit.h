/// A circuit with rows of every kind, and witnesses of its shape: for tests of the compiled form and of evaluation. The
/// witnesses satisfy nothing.
#pragma once

#include "r1cs/compiler.h"
#include "support/random.h"

namespace cuzk::r1cs {

/// Small rows of one to six terms, wide rows with runs of all lengths up to 130, negated and repeated.
struct MixedGadget {
  static constexpr u32 kOwn = 200;

  static std::string key() { return "mixed"; }

  static std::vector<Signal> record(Recorder& recorder, std::span<const Signal> inputs) {
    std::vector<Signal> own;
    for (u32 i = 0; i < kOwn; ++i) own.push_back(recorder.alloc());
    recorder.mark("small");
    for (u32 terms = 0; terms <= 6; ++terms) recorder.enforce(small(own, terms, 1), small(own, terms, -2), !own[terms]);
    recorder.enforce(LinearCombination(inputs[0]) - inputs[1], LinearCombination(inputs[0]) * Fr::from_u64(5), kOne);
    recorder.mark("wide");
    test::Random random(5);
    for (const u32 length : {1u, 2u, 31u, 63u, 64u, 65u, 130u}) {
      const LinearCombination sum =
          run(own, length, test::random_field<Fr>(random)) - run(own, 20, Fr::one()) + inputs[1];
      recorder.enforce(sum, sum, run(own, length, -Fr::one()));
    }
    recorder.enforce(LinearCombination(own[3]) * Fr::from_u64(128), LinearCombination(own[4]) * -Fr::from_u64(127),
                     LinearCombination(inputs[0]) * test::random_field<Fr>(random));
    return {own[7], !own[8]};
  }

  static LinearCombination small(std::span<const Signal> own, u32 terms, int coefficient) {
    const Fr size = Fr::from_u64(static_cast<u64>(std::abs(coefficient)));
    LinearCombination sum;
    for (u32 i = 0; i < terms; ++i) sum.add(own[7 * i], coefficient < 0 ? -size : size);
    return sum;
  }

  /// c own_0 + 2 c own_1 + 4 c own_2 + ...
  static LinearCombination run(std::span<const Signal> own, u32 length, Fr coefficient) {
    LinearCombination sum;
    for (u32 i = 0; i < length; ++i, coefficient = coefficient.doubled()) sum.add(own[i], coefficient);
    return sum;
  }
};

/// Ten instances in two scopes; each takes the first one's outputs or two inputs of the circuit.
inline Circuit compile_mixed() {
  Compiler compiler;
  const Signal x = compiler.alloc_input(), y = compiler.alloc_input();
  const auto outer = compiler.scope("outer");
  std::vector<Signal> signals{x, y};
  for (u32 i = 0; i < 10; ++i) {
    const auto inner = compiler.scope("inner " + std::to_string(i));
    const auto outputs = compiler.place(MixedGadget(), signals);
    if (i % 2 == 0) signals = outputs;
    if (i == 7) signals = {x, outputs[1]};
  }
  return std::move(compiler).finish();
}

/// Bits and elements alternate in segments of some lengths; some instances have bits only.
inline Witness mixed_witness(const Circuit& circuit, u64 seed) {
  test::Random random(seed);
  Witness witness;
  for (u32 i = 1; i < circuit.inputs(); ++i) witness.add_input(test::random_field<Fr>(random));
  u32 left = circuit.aux();
  while (left > 0) {
    const u32 bits = std::min<u32>(left, static_cast<u32>(random() % 500));
    for (u32 i = 0; i < bits; ++i) witness.add_bits(random(), 1);
    left -= bits;
    for (u64 i = random() % 9; i > 0 && left > 0; --i, --left) witness.add_element(test::random_field<Fr>(random));
  }
  return witness;
}

}  // namespace cuzk::r1cs
