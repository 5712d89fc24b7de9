#include "field/laws.h"

#include "field/batch_inverse.h"
#include "field/fp12.h"
#include "field/fr.h"

namespace cuzk::test {

using Fields = testing::Types<Fr, Fp, Fp2, Fp6, Fp12>;
INSTANTIATE_TYPED_TEST_SUITE_P(AllFields, FieldLaws, Fields);

template <class F>
class BatchInverse : public testing::Test {};
TYPED_TEST_SUITE(BatchInverse, Fields);

TYPED_TEST(BatchInverse, InvertsEachAndLeavesZeros) {
  Random random(12);
  auto elements = random_fields<TypeParam>(33, random);
  elements[0] = elements[17] = elements[32] = TypeParam::zero();
  auto inverses = elements;
  batch_invert(std::span(inverses));
  for (std::size_t i = 0; i < elements.size(); ++i) EXPECT_EQ(inverses[i], elements[i].inverse());
  batch_invert(std::span(inverses).first(0));
}

template <class F>
class Extension : public testing::Test {};
using Extensions = testing::Types<Fp2, Fp6, Fp12>;
TYPED_TEST_SUITE(Extension, Extensions);

TYPED_TEST(Extension, FrobeniusIsThePowerOfP) {
  Random random(13);
  const auto x = random_field<TypeParam>(random), y = random_field<TypeParam>(random);
  EXPECT_EQ(x.frobenius(1), x.pow(Fp::kModulus));
  EXPECT_EQ(x.frobenius(2), x.frobenius(1).frobenius(1));
  EXPECT_EQ(x.frobenius(0), x);
  EXPECT_EQ(x.frobenius(12), x);
  EXPECT_EQ((x * y).frobenius(1), x.frobenius(1) * y.frobenius(1));
  EXPECT_EQ((x + y).frobenius(3), x.frobenius(3) + y.frobenius(3));
}

TEST(Fp6, SparseProductsEqualFullOnes) {
  Random random(14);
  const auto x = random_field<Fp6>(random);
  const auto a = random_field<Fp2>(random), b = random_field<Fp2>(random);
  EXPECT_EQ(x.times_sparse(a, b), (x * Fp6{a, b, Fp2::zero()}));
  EXPECT_EQ(x.times_v(a), (x * Fp6{Fp2::zero(), a, Fp2::zero()}));
  EXPECT_EQ(x * a, (x * Fp6{a, Fp2::zero(), Fp2::zero()}));
}

TEST(Fp12, ProductWithALineEqualsTheFullOne) {
  Random random(15);
  const auto x = random_field<Fp12>(random);
  const auto a = random_field<Fp2>(random), b = random_field<Fp2>(random), c = random_field<Fp2>(random);
  const Fp12 line{{a, b, Fp2::zero()}, {Fp2::zero(), c, Fp2::zero()}};
  EXPECT_EQ(x.times_line(a, b, c), x * line);
}

TEST(Fp12, CyclotomicSquareIsTheSquare) {
  Random random(16);
  const auto x = random_field<Fp12>(random);
  const Fp12 ratio = x.conjugate() * x.inverse();
  const Fp12 cyclotomic = ratio.frobenius(2) * ratio;
  EXPECT_EQ(cyclotomic.cyclotomic_squared(), cyclotomic.squared());
}

}  // namespace cuzk::test
