#include "gadgets/number.h"

namespace cuzk::gadgets {

namespace {

struct Multiply {
  static std::string key() { return "multiply"; }
  static std::vector<Signal> record(Recorder& recorder, std::span<const Signal> in) {
    return {multiply(recorder, in[0], in[1])};
  }
};

struct Add {
  static std::string key() { return "add"; }
  static std::vector<Signal> record(Recorder& recorder, std::span<const Signal> in) {
    const Signal sum = recorder.alloc();
    recorder.enforce(LinearCombination(in[0]) + in[1], r1cs::kOne, sum);
    return {sum};
  }
};

struct Subtract {
  static std::string key() { return "subtract"; }
  static std::vector<Signal> record(Recorder& recorder, std::span<const Signal> in) {
    const Signal difference = recorder.alloc();
    recorder.enforce(LinearCombination(in[1]) + difference, r1cs::kOne, in[0]);
    return {difference};
  }
};

struct Equal {
  static std::string key() { return "equal"; }
  static std::vector<Signal> record(Recorder& recorder, std::span<const Signal> in) {
    recorder.enforce(in[0], r1cs::kOne, in[1]);
    return {};
  }
};

struct Nonzero {
  static std::string key() { return "nonzero"; }
  static std::vector<Signal> record(Recorder& recorder, std::span<const Signal> in) {
    recorder.enforce(in[0], recorder.alloc(), r1cs::kOne);
    return {};
  }
};

struct ToBits {
  static std::string key() { return "to bits"; }
  static std::vector<Signal> record(Recorder& recorder, std::span<const Signal> in) {
    std::vector<Signal> bits;
    for (unsigned i = 0; i < kFieldBits; ++i) {
      const Signal bit = bits.emplace_back(recorder.alloc());
      recorder.enforce(!bit, bit, {});
    }
    recorder.enforce({}, {}, packed(bits) - in[0]);
    return bits;
  }
};

}  // namespace

Signal multiply(Recorder& recorder, const LinearCombination& x, const LinearCombination& y) {
  const Signal product = recorder.alloc();
  recorder.enforce(x, y, product);
  return product;
}

Signal multiply(Compiler& builder, Signal x, Signal y) { return builder.place(Multiply(), std::array{x, y})[0]; }
Fr multiply(WitnessBuilder& builder, const Fr& x, const Fr& y) { return builder.alloc_number(x * y); }

Signal add(Compiler& builder, Signal x, Signal y) { return builder.place(Add(), std::array{x, y})[0]; }
Fr add(WitnessBuilder& builder, const Fr& x, const Fr& y) { return builder.alloc_number(x + y); }

Signal subtract(Compiler& builder, Signal x, Signal y) { return builder.place(Subtract(), std::array{x, y})[0]; }
Fr subtract(WitnessBuilder& builder, const Fr& x, const Fr& y) { return builder.alloc_number(x - y); }

void enforce_equal(Compiler& builder, Signal x, Signal y) { builder.place(Equal(), std::array{x, y}); }

void enforce_nonzero(Compiler& builder, Signal x) { builder.place(Nonzero(), std::array{x}); }
void enforce_nonzero(WitnessBuilder& builder, const Fr& x) { builder.alloc_number(x.inverse()); }

void inputize(Compiler& builder, Signal x) {
  const Signal input = builder.alloc_input();
  builder.place(Equal(), std::array{input, x});
}
void inputize(WitnessBuilder& builder, const Fr& x) { builder.alloc_input(x); }

std::vector<Signal> to_bits(Compiler& builder, Signal x) { return builder.place(ToBits(), std::array{x}); }

BitString to_bits(WitnessBuilder& builder, const Fr& x) {
  const Limbs<4> value = x.to_integer();
  BitString bits;
  for (unsigned first = 0; first < kFieldBits; first += 64) {
    const unsigned count = std::min(64u, kFieldBits - first);
    builder.witness().add_bits(value[first / 64], count);
    bits.append({.values = value[first / 64], .variables = ~u64{0}}, count);
  }
  return bits;
}

LinearCombination packed(std::span<const Signal> bits) {
  LinearCombination sum;
  Fr weight = Fr::one();
  for (const Signal& bit : bits) {
    sum.add(bit, weight);
    weight = weight.doubled();
  }
  return sum;
}

Fr packed(const BitString& bits, std::size_t first, std::size_t count) {
  Limbs<4> value{};
  for (std::size_t i = 0; i < count; i += 64)
    value[i / 64] = bits.chunk(first + i, static_cast<unsigned>(std::min<std::size_t>(64, count - i))).values;
  return Fr::from_integer_unchecked(value);
}

}  // namespace cuzk::gadgets
