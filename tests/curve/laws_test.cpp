// The laws of a group, over G1 and G2: for random points, infinity, and points in several coordinates.
#include <gtest/gtest.h>

#include "curve/g1.h"
#include "curve/g2.h"
#include "support/random_points.h"

namespace cuzk {
namespace {

template <class Group>
class GroupLaws : public testing::Test {
 protected:
  static std::vector<Group> samples() {
    test::Random random(17);
    const Group p = test::random_point<typename Group::Affine>(random);
    const Group q = test::random_point<typename Group::Affine>(random);
    return {Group::infinity(), Group::generator(), p, q, -q, p + q, Group(p.doubled().to_affine())};
  }
  template <class Law>
  static void for_triples(Law law) {
    const auto all = samples();
    for (const Group& p : all) {
      for (const Group& q : all) {
        for (const Group& r : all) law(p, q, r);
      }
    }
  }
};
using LawGroups = testing::Types<G1, G2>;
TYPED_TEST_SUITE(GroupLaws, LawGroups);

TYPED_TEST(GroupLaws, AdditionIsACommutativeGroup) {
  using Group = TypeParam;
  this->for_triples([](const Group& p, const Group& q, const Group& r) {
    EXPECT_EQ((p + q) + r, p + (q + r));
    EXPECT_EQ(p + q, q + p);
    EXPECT_EQ(p + Group::infinity(), p);
    EXPECT_TRUE((p - p).is_infinity());
    EXPECT_EQ(p - q, p + -q);
    EXPECT_EQ(p.doubled(), p + p);
  });
}

TYPED_TEST(GroupLaws, MixedAdditionEqualsFullAddition) {
  using Group = TypeParam;
  this->for_triples([](const Group& p, const Group& q, const Group&) {
    const auto affine = q.to_affine();
    EXPECT_TRUE(affine.is_on_curve());
    EXPECT_EQ(p + affine, p + q);
    EXPECT_EQ(p - affine, p - q);
    Group sum = p, difference = p;
    EXPECT_EQ(sum += affine, p + q);
    EXPECT_EQ(difference -= affine, p - q);
  });
}

TYPED_TEST(GroupLaws, MultiplicationDistributes) {
  test::Random random(18);
  const auto p = TypeParam(test::random_point<typename TypeParam::Affine>(random));
  const auto q = TypeParam(test::random_point<typename TypeParam::Affine>(random));
  const Fr a = test::random_field<Fr>(random), b = test::random_field<Fr>(random);
  EXPECT_EQ(p * (a + b), p * a + p * b);
  EXPECT_EQ((p + q) * a, p * a + q * a);
  EXPECT_EQ((p * a) * b, p * (a * b));
  EXPECT_EQ(p.to_affine() * a, p * a);
}

TYPED_TEST(GroupLaws, SmallMultiplesAreRepeatedSums) {
  const auto g = TypeParam::generator();
  auto sum = TypeParam::infinity();
  for (u64 k = 0; k < 40; ++k, sum += g) {
    EXPECT_EQ(g * Fr::from_u64(k), sum);
    EXPECT_EQ(g.times(Limbs<1>{{k}}), sum);
  }
}

}  // namespace
}  // namespace cuzk
