#include "field/montgomery.h"

#include <gtest/gtest.h>

#include "field/fp.h"
#include "field/fr.h"
#include "support/random.h"

namespace cuzk {
namespace {

// The assembly is not for constant expressions: these still have to be some.
static_assert(Fp::from_u64(6) * Fp::from_u64(7) == Fp::from_u64(42));
static_assert(Fr::from_u64(6) - Fr::from_u64(7) == -Fr::one());
static_assert((Fr::from_u64(3).inverse() * Fr::from_u64(3)).is_one());

template <class P>
class Montgomery : public testing::Test {
 protected:
  using Params = P;
  using Form = Limbs<P::kLimbs>;

  /// Random forms and those at which carries are longest: 0, 1, m - 1, m - 2^64, words of all ones below a small top.
  static std::vector<Form> forms() {
    test::Random random(7);
    std::vector<Form> forms;
    for (const auto& x : test::random_fields<PrimeField<P>>(200, random)) forms.push_back(x.montgomery_form());
    Form ones;
    for (std::size_t i = 0; i < P::kLimbs; ++i) ones[i] = ~u64{0};
    for (unsigned shift = 4; shift < 64; shift += 5) {
      forms.push_back(ones);
      forms.back()[P::kLimbs - 1] >>= shift;
    }
    Form below = P::kModulus;
    below[0] -= 1;
    forms.push_back(below);
    below[1] -= 1;
    forms.push_back(below);
    forms.push_back(Form{});
    forms.push_back(Form{{1}});
    forms.push_back(P::kOne);
    return forms;
  }
};
using AllParams = testing::Types<FrParams, FpParams>;
TYPED_TEST_SUITE(Montgomery, AllParams);

TYPED_TEST(Montgomery, FastestFormsEqualThePortableOnes) {
  const auto forms = this->forms();
  for (const auto& x : forms) {
    for (const auto& y : forms) {
      EXPECT_EQ(montgomery_add<TypeParam>(x, y), portable::add<TypeParam>(x, y));
      EXPECT_EQ(montgomery_subtract<TypeParam>(x, y), portable::subtract<TypeParam>(x, y));
      EXPECT_EQ(montgomery_multiply<TypeParam>(x, y), portable::multiply<TypeParam>(x, y));
    }
  }
}

TYPED_TEST(Montgomery, SumsOfProductsEqualThePortableOnes) {
  if constexpr (TypeParam::kLimbs == 6) {
    const auto forms = this->forms();
    for (std::size_t i = 0; i < forms.size(); ++i) {
      for (std::size_t j = 0; j < forms.size(); ++j) {
        const auto &a = forms[i], &b = forms[j], &c = forms[(i + 7 * j) % forms.size()], &d = forms.back();
        EXPECT_EQ(montgomery_sum_of_products<TypeParam>(a, b, c, a), portable::sum_of_products<TypeParam>(a, b, c, a));
        EXPECT_EQ(montgomery_sum_of_products<TypeParam>(a, a, b, b), portable::sum_of_products<TypeParam>(a, a, b, b));
        EXPECT_EQ(montgomery_sum_of_products<TypeParam>(a, d, d, b), portable::sum_of_products<TypeParam>(a, d, d, b));
      }
    }
  }
}

TYPED_TEST(Montgomery, ResultMayTakeThePlaceOfAnOperand) {
  using Field = PrimeField<TypeParam>;
  test::Random random(8);
  const Field x = test::random_field<Field>(random), y = test::random_field<Field>(random);
  Field z = x;
  z *= z;
  EXPECT_EQ(z, x * x);
  z = y;
  z = x * z;
  EXPECT_EQ(z, x * y);
  z -= z;
  EXPECT_TRUE(z.is_zero());
}

}  // namespace
}  // namespace cuzk
