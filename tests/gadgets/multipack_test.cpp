#include "gadgets/multipack.h"

#include "gadgets/bits.h"
#include "gadgets/boolean.h"
#include "gadgets/vector_cases.h"
#include "support/random.h"

namespace cuzk::gadgets {
namespace {

constexpr const char* kMultipackFile = "gadgets/multipack.json.xz";

/// As many bits as the values begin with.
template <class Builder>
typename Builder::Bits make_bits(Builder& builder, std::span<const Fr> values) {
  typename Builder::Bits bits;
  for (const Fr& value : values) append(bits, alloc_bits(builder, value.is_one() ? 1 : 0, 1));
  return bits;
}

TEST(Multipack, InputsEqualTheVectors) {
  for (const std::size_t count : {0, 1, 9, 64, 254, 255, 600})
    expect_vector(kMultipackFile, "pack_into_inputs_" + std::to_string(count),
                  [&](auto& builder, std::span<const Fr> values) {
                    pack_into_inputs(builder, make_bits(builder, values.first(count)));
                  });
}

TEST(Multipack, NumbersEqualTheVectors) {
  for (const std::size_t count : {0, 1, 18, 254, 256})
    expect_vector(kMultipackFile, "pack_bits_" + std::to_string(count), [&](auto& builder, std::span<const Fr> values) {
      pack_bits(builder, make_bits(builder, values.first(count)));
    });
}

/// The bits x, !x, 1, 0, x.
std::vector<Signal> mixed(const std::vector<Signal>& x) {
  return {x[0], !x[0], Signal::constant(true), Signal::constant(false), x[0]};
}
BitString mixed(const BitString& x) {
  const u64 bit = x.chunk(0, 1).values;
  BitString bits;
  bits.append({.values = bit | (1 - bit) << 1 | 1 << 2 | bit << 4, .variables = 0b10011}, 5);
  return bits;
}

TEST(Multipack, NegatedAndConstantBitsMerge) {
  expect_vector(kMultipackFile, "pack_bits_mixed", [](auto& builder, std::span<const Fr> values) {
    pack_bits(builder, mixed(make_bits(builder, values.first(1))));
  });
}

TEST(Multipack, ValuesSatisfyTheConstraints) {
  test::Random random(4);
  const u32 bits = static_cast<u32>(random());
  expect_satisfied([&](auto& builder) {
    const auto low = alloc_bits(builder, bits, 32);
    pack_bits(builder, low);
    pack_into_inputs(builder, low);
  });
}

}  // namespace
}  // namespace cuzk::gadgets
