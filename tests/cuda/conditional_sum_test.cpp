#include "cuda/conditional_sum.h"

#include "base/error.h"
#include "msm/conditional_sum.h"
#include "msm/msm_support.h"
#include "support/gpu_queue.h"

namespace cuzk::cuda {
namespace {

template <class Affine>
class DeviceConditionalSum : public testing::Test {
 protected:
  using Curve = typename Affine::Curve;

  void check(const std::vector<Affine>& points, const std::vector<u64>& words) {
    BitVector bits(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      if ((words[i / 64] >> (i % 64) & 1) != 0) bits.set(i);
    }
    const auto p = gpu_.upload(points);
    const auto w = gpu_.upload(words);
    EXPECT_EQ(conditional_sum<Curve>(gpu_.queue(), p.span(), w.span()),
              msm::conditional_sum(std::span<const Affine>(points), BitSpan(bits), ThreadPool::shared()))
        << points.size() << " points";
  }
  std::vector<u64> random_words(std::size_t points) {
    std::vector<u64> words((points + 63) / 64);
    for (u64& word : words) word = random_();
    if (points % 64 != 0) words.back() &= (u64{1} << points % 64) - 1;
    return words;
  }

  test::Random random_{11};
  test::GpuQueue gpu_{std::size_t{1} << 30};
};
TYPED_TEST_SUITE(DeviceConditionalSum, test::Groups, test::GroupNames);

TYPED_TEST(DeviceConditionalSum, RandomBits) {
  for (const std::size_t size : {0, 1, 2, 63, 64, 65, 600, 5001, 1 << 15})
    this->check(test::random_points<TypeParam>(size, this->random_), this->random_words(size));
}

TYPED_TEST(DeviceConditionalSum, NoBitsAndAllBits) {
  const auto points = test::random_points<TypeParam>(1024, this->random_);
  this->check(points, std::vector<u64>(16, 0));
  this->check(points, std::vector<u64>(16, ~u64{0}));
}

TYPED_TEST(DeviceConditionalSum, EqualAndOppositePointsAndInfinity) {
  const auto point = test::random_point<TypeParam>(this->random_);
  this->check(std::vector<TypeParam>(1000, point), this->random_words(1000));
  std::vector<TypeParam> mixed;
  for (int i = 0; i < 1024; ++i) mixed.push_back(i % 3 == 0 ? point : i % 3 == 1 ? -point : TypeParam::infinity());
  this->check(mixed, std::vector<u64>(16, ~u64{0}));
}

TYPED_TEST(DeviceConditionalSum, WordsOfAnotherLengthAreRefused) {
  const auto p = this->gpu_.upload(test::random_points<TypeParam>(65, this->random_));
  const auto w = this->gpu_.upload(std::vector<u64>(1));
  EXPECT_THROW(conditional_sum<typename TypeParam::Curve>(this->gpu_.queue(), p.span(), w.span()), Error);
}

}  // namespace
}  // namespace cuzk::cuda
