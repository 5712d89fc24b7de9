#include "field/inverse.h"

#include <gtest/gtest.h>

#include "field/fp.h"
#include "field/fr.h"
#include "support/random.h"

namespace cuzk {
namespace {

static_assert((Fp::from_u64(11).inverse() * Fp::from_u64(11)).is_one());
static_assert(Fr::zero().inverse().is_zero());

template <class F>
class Inverse : public testing::Test {
 protected:
  static void check(const F& x) { ASSERT_EQ(x.inverse(), x.inverse_by_power()); }
};
using Fields = testing::Types<Fr, Fp>;
TYPED_TEST_SUITE(Inverse, Fields);

TYPED_TEST(Inverse, OfRandomElementsEqualsFermatsPower) {
  test::Random random(19);
  for (int i = 0; i < 2000; ++i) this->check(test::random_field<TypeParam>(random));
}

TYPED_TEST(Inverse, OfSmallValuesAndPowersOfTwoEqualsFermatsPower) {
  TypeParam power = TypeParam::one();
  for (u64 k = 0; k < 400; ++k, power = power.doubled()) {
    this->check(TypeParam::from_montgomery_unchecked({{k}}));
    this->check(-TypeParam::from_montgomery_unchecked({{k}}));
    this->check(TypeParam::from_u64(k));
    this->check(power);
    this->check(power - TypeParam::one());
    this->check(TypeParam::from_montgomery_unchecked(power.to_integer()));
    this->check(-TypeParam::from_montgomery_unchecked(power.to_integer()));
  }
}

}  // namespace
}  // namespace cuzk
