// Fields and points are templates over parameters: those of BN254, which no program uses yet, obey the same laws (docs/adr/026).
#include "curve/point.h"
#include "field/laws.h"

namespace cuzk::test {

struct Bn254FpParams {
  static constexpr std::size_t kLimbs = 4;
  static constexpr Limbs<4> kModulus{{0x3c208c16d87cfd47, 0x97816a916871ca8d, 0xb85045b68181585d, 0x30644e72e131a029}};
  static constexpr Limbs<4> kOne{{0xd35d438dc58f0d9d, 0x0a78eb28f5c70b3d, 0x666ea36f7879462c, 0x0e0a77c19a07df2f}};
  static constexpr Limbs<4> kR2{{0xf32cfc5b538afa89, 0xb5e71911d44501fb, 0x47ab1eff0a417ff6, 0x06d89f71cab8351f}};
  static constexpr u64 kInverse = 0x87d20782e4866389;
};
using Bn254Fp = PrimeField<Bn254FpParams>;

struct Bn254FrParams {
  static constexpr std::size_t kLimbs = 4;
  static constexpr Limbs<4> kModulus{{0x43e1f593f0000001, 0x2833e84879b97091, 0xb85045b68181585d, 0x30644e72e131a029}};
  static constexpr Limbs<4> kOne{{0xac96341c4ffffffb, 0x36fc76959f60cd29, 0x666ea36f7879462e, 0x0e0a77c19a07df2f}};
  static constexpr Limbs<4> kR2{{0x1bb8e645ae216da7, 0x53fe3ab1e35c59e3, 0x8c49833d53bb8085, 0x0216d0b17f4e44a5}};
  static constexpr u64 kInverse = 0xc2e1f593efffffff;
};
using Bn254Fr = PrimeField<Bn254FrParams>;

/// y^2 = x^3 + 3, of prime order.
struct Bn254G1Curve {
  using Field = Bn254Fp;

  static constexpr Field b() { return Field::from_u64(3); }
  static constexpr Field generator_x() { return Field::one(); }
  static constexpr Field generator_y() { return Field::from_u64(2); }
};
using Bn254G1 = Point<Bn254G1Curve>;

using Bn254Fields = testing::Types<Bn254Fp, Bn254Fr>;
INSTANTIATE_TYPED_TEST_SUITE_P(Bn254, FieldLaws, Bn254Fields);

TEST(Bn254, GeneratorHasTheOrderOfItsScalarField) {
  const Bn254G1 generator = Bn254G1::generator();
  EXPECT_TRUE(generator.to_affine().is_on_curve());
  EXPECT_TRUE(generator.times(Bn254FrParams::kModulus).is_infinity());
}

TEST(Bn254, MultiplesAddAsTheirScalarsDo) {
  Random random(26);
  const Bn254G1 generator = Bn254G1::generator();
  for (int i = 0; i < 20; ++i) {
    const auto x = random_field<Bn254Fr>(random), y = random_field<Bn254Fr>(random);
    const Bn254G1 sum = generator.times(x.to_integer()) + generator.times(y.to_integer());
    EXPECT_EQ(sum, generator.times((x + y).to_integer()));
    EXPECT_TRUE(sum.to_affine().is_on_curve());
  }
}

}  // namespace cuzk::test
