#include "msm/conditional_sum.h"

#include "base/error.h"
#include "msm/msm_support.h"
#include "support/stopping.h"

namespace cuzk {
namespace {

template <class Affine>
class ConditionalSum : public testing::Test {};
TYPED_TEST_SUITE(ConditionalSum, test::Groups, test::GroupNames);

BitVector random_bits(std::size_t count, test::Random& random) {
  BitVector bits;
  for (std::size_t i = 0; i < count; ++i) bits.push_back(random() % 2 != 0);
  return bits;
}

template <class Affine>
auto sum_selected(const std::vector<Affine>& points, const BitVector& bits) {
  auto sum = Point<typename Affine::Curve>::infinity();
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (bits[i]) sum += points[i];
  }
  return sum;
}

TYPED_TEST(ConditionalSum, EqualsTheSumOfTheSelected) {
  test::Random random(1);
  for (const std::size_t count : {0U, 1U, 63U, 64U, 65U, 1000U, 40000U}) {
    const auto points = test::random_points<TypeParam>(count, random);
    const BitVector bits = random_bits(count, random);
    ThreadPool one(1), three(3);
    const auto expected = sum_selected(points, bits);
    EXPECT_EQ(msm::conditional_sum(std::span<const TypeParam>(points), bits, one), expected) << count;
    EXPECT_EQ(msm::conditional_sum(std::span<const TypeParam>(points), bits, three), expected) << count;
  }
}

TYPED_TEST(ConditionalSum, NoneAllAndRepeatedPoints) {
  test::Random random(2);
  const std::vector<TypeParam> points(300, test::random_point<TypeParam>(random));
  BitVector all(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) all.set(i);
  EXPECT_TRUE(msm::conditional_sum(std::span<const TypeParam>(points), BitVector(points.size()), ThreadPool::shared())
                  .is_infinity());
  EXPECT_EQ(msm::conditional_sum(std::span<const TypeParam>(points), all, ThreadPool::shared()),
            points[0] * Fr::from_u64(300));
}

TYPED_TEST(ConditionalSum, IgnoresBitsPastTheEnd) {
  test::Random random(3);
  const auto points = test::random_points<TypeParam>(5, random);
  const u64 word = ~u64{0};
  EXPECT_EQ(msm::conditional_sum(std::span<const TypeParam>(points), BitSpan{&word, 5}, ThreadPool::shared()),
            test::naive_sum(points, std::vector<Fr>(5, Fr::one())));
}

TYPED_TEST(ConditionalSum, RefusesAnotherNumberOfBits) {
  const std::vector<TypeParam> points(3, TypeParam::generator());
  EXPECT_THROW(msm::conditional_sum(std::span<const TypeParam>(points), BitVector(4), ThreadPool::shared()), Error);
}

TYPED_TEST(ConditionalSum, EndsWhereItsPoolIsStopped) {
  const std::vector<TypeParam> points(50'000, TypeParam::generator());
  test::expect_stops([&](ThreadPool& pool) {
    msm::conditional_sum(std::span<const TypeParam>(points), BitVector(points.size()), pool);
  });
}

}  // namespace
}  // namespace cuzk
