// Every entry of primitives/fields.json; square roots are in square_root_test.cpp.
#include <gtest/gtest.h>

#include "base/hex.h"
#include "field/fp12.h"
#include "field/fr.h"
#include "field/vector_values.h"
#include "support/vectors.h"

namespace cuzk {
namespace {

const nlohmann::json& fields() {
  static const nlohmann::json json = test::vector_json("primitives/fields.json");
  return json;
}

/// A little-endian integer of the file.
template <std::size_t N>
Limbs<N> integer(const nlohmann::json& text) {
  const auto bytes = from_hex(text.get<std::string>());
  EXPECT_LE(bytes.size(), 8 * N);
  Limbs<N> value{};
  for (std::size_t i = 0; i < bytes.size(); ++i) value[i / 8] |= static_cast<u64>(bytes[i]) << (8 * (i % 8));
  return value;
}

template <class F>
void check_prime_field(const std::string& name) {
  constexpr std::size_t kLimbs = F::kLimbs;
  const auto& field = fields()[name];
  EXPECT_EQ(F::kModulus, integer<kLimbs>(field["modulus"]));
  EXPECT_EQ(F::one().montgomery_form(), integer<kLimbs>(field["montgomery_R"]));
  const F r = F::from_integer_unchecked(F::one().montgomery_form());
  EXPECT_EQ(r.montgomery_form(), integer<kLimbs>(field["montgomery_R2"]));
  ASSERT_EQ(field["vectors"].size(), 40u);
  for (const auto& v : field["vectors"]) {
    const F a = parse<F>(v["a"]), b = parse<F>(v["b"]);
    EXPECT_EQ(a.montgomery_form(), integer<kLimbs>(v["mont_a"]));
    EXPECT_EQ(a + b, parse<F>(v["add"]));
    EXPECT_EQ(a - b, parse<F>(v["sub"]));
    EXPECT_EQ(a * b, parse<F>(v["mul"]));
    EXPECT_EQ(a.squared(), parse<F>(v["square"]));
    EXPECT_EQ(-a, parse<F>(v["neg"]));
    EXPECT_EQ(a.doubled(), parse<F>(v["double"]));
    EXPECT_EQ(a.inverse(), v["inverse"].is_null() ? F::zero() : parse<F>(v["inverse"]));
    EXPECT_EQ(a.pow(integer<kLimbs>(v["exp"])), parse<F>(v["pow"]));
    EXPECT_EQ(to_hex(a.to_bytes()), v["a"].get<std::string>());
  }
}

TEST(GoldenFields, Fr) {
  check_prime_field<Fr>("fr");
  const auto& fr = fields()["fr"];
  EXPECT_EQ(kFrTwoAdicity, fr["two_adicity"].get<unsigned>());
  EXPECT_EQ(fr_root_of_unity(), parse<Fr>(fr["root_of_unity"]));
  EXPECT_EQ(fr_root_of_unity().inverse(), parse<Fr>(fr["root_of_unity_inverse"]));
  EXPECT_EQ(Fr::from_u64(kFrGenerator), parse<Fr>(fr["multiplicative_generator"]));
  EXPECT_EQ(Fr::from_u64(2).inverse(), parse<Fr>(fr["two_inverse"]));
}
TEST(GoldenFields, Fp) { check_prime_field<Fp>("fp"); }

TEST(GoldenFields, Fp2) {
  for (const auto& v : fields()["fp2"]) {
    const Fp2 a = parse<Fp2>(v["a"]), b = parse<Fp2>(v["b"]);
    EXPECT_EQ(a + b, parse<Fp2>(v["add"]));
    EXPECT_EQ(a - b, parse<Fp2>(v["sub"]));
    EXPECT_EQ(a * b, parse<Fp2>(v["mul"]));
    EXPECT_EQ(a.squared(), parse<Fp2>(v["square"]));
    EXPECT_EQ(a.inverse(), v["inverse"].is_null() ? Fp2::zero() : parse<Fp2>(v["inverse"]));
    EXPECT_EQ(a.frobenius(1), parse<Fp2>(v["frobenius1"]));
    EXPECT_EQ(a.times_nonresidue(), parse<Fp2>(v["mul_by_1_plus_u"]));
    EXPECT_EQ(a.norm(), parse<Fp>(v["norm"]));
  }
}

TEST(GoldenFields, Fp6) {
  for (const auto& v : fields()["fp6"]) {
    const Fp6 a = parse<Fp6>(v["a"]), b = parse<Fp6>(v["b"]);
    EXPECT_EQ(a * b, parse<Fp6>(v["mul"]));
    EXPECT_EQ(a.squared(), parse<Fp6>(v["square"]));
    EXPECT_EQ(a.inverse(), v["inverse"].is_null() ? Fp6::zero() : parse<Fp6>(v["inverse"]));
    EXPECT_EQ(a.frobenius(1), parse<Fp6>(v["frobenius1"]));
    EXPECT_EQ(a.times_nonresidue(), parse<Fp6>(v["mul_by_v"]));
  }
}

TEST(GoldenFields, Fp12) {
  for (const auto& v : fields()["fp12"]) {
    const Fp12 a = parse<Fp12>(v["a"]), b = parse<Fp12>(v["b"]);
    EXPECT_EQ(a * b, parse<Fp12>(v["mul"]));
    EXPECT_EQ(a.squared(), parse<Fp12>(v["square"]));
    EXPECT_EQ(a.inverse(), v["inverse"].is_null() ? Fp12::zero() : parse<Fp12>(v["inverse"]));
    EXPECT_EQ(a.conjugate(), parse<Fp12>(v["conjugate"]));
    EXPECT_EQ(a.frobenius(1), parse<Fp12>(v["frobenius1"]));
    EXPECT_EQ(a.frobenius(2), parse<Fp12>(v["frobenius2"]));
    EXPECT_EQ(a.frobenius(3), parse<Fp12>(v["frobenius3"]));
  }
}

}  // namespace
}  // namespace cuzk
