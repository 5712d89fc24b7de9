#include "gadgets/number.h"

#include "gadgets/vector_cases.h"
#include "support/random.h"

namespace cuzk::gadgets {
namespace {

constexpr const char* kNumberFile = "gadgets/num.json.xz";

TEST(NumberGadget, InputizeEqualsTheVector) {
  expect_vector(kNumberFile, "num_inputize",
                [](auto& builder, std::span<const Fr> values) { inputize(builder, builder.alloc_number(values[0])); });
}

TEST(NumberGadget, ProductsEqualTheVector) {
  expect_vector(kNumberFile, "num_mul_square_nonzero", [](auto& builder, std::span<const Fr> values) {
    const auto a = builder.alloc_number(values[0]);
    const auto b = builder.alloc_number(values[1]);
    multiply(builder, a, b);
    multiply(builder, a, a);
    enforce_nonzero(builder, a);
  });
}

TEST(NumberGadget, SumsEqualTheVector) {
  expect_vector(kNumberFile, "constraint_and_encode", [](auto& builder, std::span<const Fr> values) {
    const auto a = builder.alloc_number(values[0]);
    const auto b = builder.alloc_number(values[1]);
    const auto c = builder.alloc_number(values[2]);
    enforce_equal(builder, a, b);
    add(builder, a, c);
    subtract(builder, a, c);
    add(builder, a, c);
    subtract(builder, c, a);
  });
}

TEST(NumberGadget, BitsEqualTheVectors) {
  for (const char* name : {"to_bits_le_random", "to_bits_le_minus_one", "to_bits_le_zero"})
    expect_vector(kNumberFile, name,
                  [](auto& builder, std::span<const Fr> values) { to_bits(builder, builder.alloc_number(values[0])); });
}

TEST(NumberGadget, ValuesSatisfyTheConstraints) {
  test::Random random(3);
  for (int i = 0; i < 20; ++i) {
    const Fr x = test::random_field<Fr>(random), y = test::random_field<Fr>(random);
    expect_satisfied([&](auto& builder) {
      const auto a = builder.alloc_number(x);
      const auto b = builder.alloc_number(y);
      const auto product = multiply(builder, a, b);
      const auto sum = add(builder, product, a);
      enforce_equal(builder, subtract(builder, sum, a), product);
      enforce_nonzero(builder, sum);
      to_bits(builder, sum);
      inputize(builder, sum);
    });
  }
}

}  // namespace
}  // namespace cuzk::gadgets
