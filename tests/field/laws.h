/// The laws of a field, as one typed suite: instantiate it with INSTANTIATE_TYPED_TEST_SUITE_P(Name, FieldLaws, Types).
/// They hold for random elements and for 0, 1 and -1, in every combination.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "support/random.h"

namespace cuzk::test {

template <class F>
class FieldLaws : public testing::Test {
 protected:
  static std::vector<F> samples() {
    Random random(11);
    auto elements = random_fields<F>(6, random);
    for (const F& x : {F::zero(), F::one(), -F::one()}) elements.push_back(x);
    return elements;
  }
  /// law(x, y, z) for every triple of samples.
  template <class Law>
  static void for_triples(Law law) {
    const auto all = samples();
    for (const F& x : all) {
      for (const F& y : all) {
        for (const F& z : all) law(x, y, z);
      }
    }
  }
};
TYPED_TEST_SUITE_P(FieldLaws);

TYPED_TEST_P(FieldLaws, AdditionIsACommutativeGroup) {
  using F = TypeParam;
  this->for_triples([](const F& x, const F& y, const F& z) {
    EXPECT_EQ((x + y) + z, x + (y + z));
    EXPECT_EQ(x + y, y + x);
    EXPECT_EQ(x + F::zero(), x);
    EXPECT_TRUE((x + -x).is_zero());
    EXPECT_EQ(x - y, x + -y);
    EXPECT_EQ(x.doubled(), x + x);
  });
}

TYPED_TEST_P(FieldLaws, MultiplicationIsCommutativeAndDistributes) {
  using F = TypeParam;
  this->for_triples([](const F& x, const F& y, const F& z) {
    EXPECT_EQ((x * y) * z, x * (y * z));
    EXPECT_EQ(x * y, y * x);
    EXPECT_EQ(x * (y + z), x * y + x * z);
    EXPECT_EQ(x * F::one(), x);
    EXPECT_TRUE((x * F::zero()).is_zero());
    EXPECT_EQ(x.squared(), x * x);
    EXPECT_EQ((x * y).is_zero(), x.is_zero() || y.is_zero());
  });
}

TYPED_TEST_P(FieldLaws, CompoundAssignmentsEqualTheOperators) {
  using F = TypeParam;
  this->for_triples([](const F& x, const F& y, const F&) {
    F sum = x, difference = x, product = x;
    EXPECT_EQ(sum += y, x + y);
    EXPECT_EQ(difference -= y, x - y);
    EXPECT_EQ(product *= y, x * y);
  });
}

TYPED_TEST_P(FieldLaws, EveryElementButZeroHasAnInverse) {
  using F = TypeParam;
  for (const F& x : this->samples()) {
    if (x.is_zero()) continue;
    EXPECT_TRUE((x * x.inverse()).is_one());
    EXPECT_EQ(x.inverse().inverse(), x);
  }
  EXPECT_TRUE(F::zero().inverse().is_zero());
}

TYPED_TEST_P(FieldLaws, PowersAddTheirExponents) {
  using F = TypeParam;
  for (const F& x : this->samples()) {
    EXPECT_TRUE(x.pow(Limbs<1>{{0}}).is_one());
    EXPECT_EQ(x.pow(Limbs<1>{{5}}), x * x * x * x * x);
    const Limbs<2> a{{~u64{0}, 3}}, b{{1, 0}}, sum{{0, 4}};
    EXPECT_EQ(x.pow(a) * x.pow(b), x.pow(sum));
  }
}

TYPED_TEST_P(FieldLaws, BytesRoundTrip) {
  using F = TypeParam;
  for (const F& x : this->samples()) {
    const auto bytes = x.to_bytes();
    EXPECT_EQ(F::from_bytes(bytes), x);
  }
  typename F::Bytes ones;
  ones.fill(0xff);
  EXPECT_FALSE(F::from_bytes(ones).has_value()) << "not canonical";
}

REGISTER_TYPED_TEST_SUITE_P(FieldLaws, AdditionIsACommutativeGroup, MultiplicationIsCommutativeAndDistributes,
                            CompoundAssignmentsEqualTheOperators, EveryElementButZeroHasAnInverse,
                            PowersAddTheirExponents, BytesRoundTrip);

}  // namespace cuzk::test
