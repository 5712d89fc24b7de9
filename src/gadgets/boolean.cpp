#include "gadgets/boolean.h"

#include "base/error.h"

namespace cuzk::gadgets {

namespace {

struct AllocBits {
  unsigned count;

  std::string key() const { return "bits " + std::to_string(count); }
  std::vector<Signal> record(Recorder& recorder, std::span<const Signal>) const {
    BooleanConstraints steps(recorder);
    std::vector<Signal> bits;
    for (unsigned i = 0; i < count; ++i) bits.push_back(steps.alloc_bit());
    return bits;
  }
};

LinearCombination twice(const LinearCombination& x) { return x + x; }

}  // namespace

Signal BooleanConstraints::alloc_bit() {
  const Signal bit = recorder_.alloc();
  recorder_.enforce(!bit, bit, {});
  return bit;
}

Signal BooleanConstraints::alloc_xor(Signal a, Signal b) {
  const Signal result = recorder_.alloc();
  recorder_.enforce(twice(a), b, LinearCombination(a) + b - result);
  return result;
}

Signal BooleanConstraints::alloc_and(Signal a, Signal b) {
  const Signal result = recorder_.alloc();
  recorder_.enforce(a, b, result);
  return result;
}

Signal BooleanConstraints::alloc_ch(Signal a, Signal b, Signal c) {
  const Signal result = recorder_.alloc();
  recorder_.enforce(LinearCombination(b) - c, a, LinearCombination(result) - c);
  return result;
}

Signal BooleanConstraints::alloc_maj(Signal a, Signal b, Signal c) {
  const Signal result = recorder_.alloc();
  const Signal bc = both(*this, b, c);
  recorder_.enforce(twice(bc) - b - c, a, LinearCombination(bc) - result);
  return result;
}

void enforce_equal_bits(Recorder& recorder, Signal a, Signal b) {
  if (a.is_constant() && b.is_constant()) {
    if (a.is_one() != b.is_one()) throw internal_error("constants 0 and 1 cannot be equal");
    return;
  }
  if (b.is_one()) std::swap(a, b);  // the constant 1 stands first, the constant 0 nowhere
  if (a.is_zero()) std::swap(a, b);
  recorder.enforce({}, {}, LinearCombination(a) - b);
}

std::vector<Signal> alloc_bits(Compiler& builder, u64, unsigned count) { return builder.place(AllocBits{count}, {}); }

BitString alloc_bits(WitnessBuilder& builder, u64 value, unsigned count) {
  builder.witness().add_bits(value, count);
  BitString bits;
  bits.append({value, ~u64{0}}, count);
  return bits;
}

}  // namespace cuzk::gadgets
