#include "field/prime_field.h"

#include <gtest/gtest.h>

#include "base/hex.h"
#include "field/fp.h"
#include "field/fr.h"
#include "support/vectors.h"

namespace cuzk {
namespace {

template <class F>
F parse(const nlohmann::json& text) {
  const auto bytes = from_hex(text.get<std::string>());
  return F::from_bytes(std::span<const u8, F::kBytes>(bytes.data(), F::kBytes)).value();
}

template <class F>
void check_vectors(const std::string& name) {
  const auto vectors = test::vector_json("primitives/fields.json")[name]["vectors"];
  ASSERT_EQ(vectors.size(), 40u);
  for (const auto& v : vectors) {
    const F a = parse<F>(v["a"]), b = parse<F>(v["b"]);
    EXPECT_EQ(a + b, parse<F>(v["add"]));
    EXPECT_EQ(a - b, parse<F>(v["sub"]));
    EXPECT_EQ(a * b, parse<F>(v["mul"]));
    EXPECT_EQ(a.squared(), parse<F>(v["square"]));
    EXPECT_EQ(-a, parse<F>(v["neg"]));
    EXPECT_EQ(a.inverse(), v["inverse"].is_null() ? F::zero() : parse<F>(v["inverse"]));
  }
}

TEST(PrimeField, FrAgreesWithTheGoldenVectors) { check_vectors<Fr>("fr"); }
TEST(PrimeField, FpAgreesWithTheGoldenVectors) { check_vectors<Fp>("fp"); }

}  // namespace
}  // namespace cuzk
