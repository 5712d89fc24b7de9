#include "curve/pairing.h"

#include <gtest/gtest.h>

#include "base/hex.h"
#include "curve/encoding.h"
#include "support/random_points.h"
#include "support/vectors.h"

namespace cuzk {
namespace {

template <class Affine>
Affine parse(const nlohmann::json& text) {
  const auto bytes = from_hex(text.get<std::string>());
  return from_compressed<Affine>(std::span<const u8, kCompressedBytes<Affine>>(bytes)).value_or_throw("vector");
}

nlohmann::json vectors(const std::string& section) { return test::vector_json("primitives/pairing.json")[section]; }

/// The product of pairings, by one multi-Miller loop.
Gt product(const std::vector<std::pair<G1Affine, G2Affine>>& pairs) {
  std::vector<G2Prepared> prepared;
  for (const auto& pair : pairs) prepared.emplace_back(pair.second);
  std::vector<PairingTerm> terms;
  for (std::size_t i = 0; i < pairs.size(); ++i) terms.push_back({pairs[i].first, &prepared[i]});
  return final_exponentiation(miller_loop(terms));
}

TEST(Pairing, AgreesWithTheGoldenVectors) {
  for (const auto& v : vectors("pairings")) {
    EXPECT_EQ(to_hex(pairing(parse<G1Affine>(v["g1"]), parse<G2Affine>(v["g2"])).to_bytes()),
              v["gt"].get<std::string>());
  }
}

TEST(Pairing, ProductsAgreeWithTheGoldenVectors) {
  for (const auto& v : vectors("products")) {
    std::vector<std::pair<G1Affine, G2Affine>> pairs;
    for (const auto& term : v["terms"]) pairs.emplace_back(parse<G1Affine>(term[0]), parse<G2Affine>(term[1]));
    const Gt value = product(pairs);
    EXPECT_EQ(to_hex(value.to_bytes()), v["product"].get<std::string>()) << v["case"];
    EXPECT_EQ(value.is_one(), v["is_one"].get<bool>()) << v["case"];
  }
}

TEST(Pairing, IsBilinear) {
  test::Random random(9);
  const auto p = test::random_point<G1Affine>(random);
  const auto q = test::random_point<G2Affine>(random);
  const Fr a = test::random_field<Fr>(random), b = test::random_field<Fr>(random);
  const Gt e = pairing(p, q);
  EXPECT_EQ(pairing((p * a).to_affine(), (q * b).to_affine()), e.pow((a * b).to_integer()));
  const auto p2 = test::random_point<G1Affine>(random);
  EXPECT_EQ(pairing((G1(p) + p2).to_affine(), q), e * pairing(p2, q));
  const auto q2 = test::random_point<G2Affine>(random);
  EXPECT_EQ(pairing(p, (G2(q) + q2).to_affine()), e * pairing(p, q2));
}

TEST(Pairing, HasOrderRAndIsNotDegenerate) {
  const Gt e = pairing(G1Affine::generator(), G2Affine::generator());
  EXPECT_FALSE(e.is_one());
  EXPECT_TRUE(e.pow(Fr::kModulus).is_one());
}

TEST(Pairing, WithInfinityIsOne) {
  EXPECT_TRUE(pairing(G1Affine::infinity(), G2Affine::generator()).is_one());
  EXPECT_TRUE(pairing(G1Affine::generator(), G2Affine::infinity()).is_one());
  EXPECT_TRUE(product({}).is_one());
}

TEST(Pairing, OppositePointsCancel) {
  test::Random random(10);
  const auto p = test::random_point<G1Affine>(random);
  const auto q = test::random_point<G2Affine>(random);
  EXPECT_TRUE(product({{p, q}, {-p, q}}).is_one());
  EXPECT_TRUE(product({{p, q}, {p, -q}}).is_one());
  EXPECT_FALSE(product({{p, q}, {p, q}}).is_one());
}

TEST(Pairing, CyclotomicSquareIsTheSquareInGt) {
  const Gt e = pairing(G1Affine::generator(), G2Affine::generator());
  EXPECT_EQ(e.cyclotomic_squared(), e.squared());
  EXPECT_EQ(e.conjugate(), e.inverse());
}

}  // namespace
}  // namespace cuzk
