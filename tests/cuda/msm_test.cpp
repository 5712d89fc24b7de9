#include "cuda/msm.h"

#include "base/error.h"
#include "cuda/point_multiples.h"
#include "cuda/point_progression.h"
#include "msm/msm.h"
#include "msm/msm_support.h"
#include "support/gpu_queue.h"

namespace cuzk::cuda {
namespace {

template <class Affine>
class DeviceMsm : public testing::Test {
 protected:
  using Curve = typename Affine::Curve;
  using Sum = Point<Curve>;

  static Sum on_host(const std::vector<Affine>& points, const std::vector<Fr>& scalars) {
    return msm::multi_scalar_mul(std::span<const Affine>(points), std::span<const Fr>(scalars), ThreadPool::shared());
  }
  Sum on_device(const std::vector<Affine>& points, const std::vector<Fr>& scalars) {
    const auto p = gpu_.upload(points);
    const auto s = gpu_.upload(scalars);
    return multi_scalar_mul<Curve>(gpu_.queue(), p.span(), s.span());
  }
  void check(const std::vector<Affine>& points, const std::vector<Fr>& scalars) {
    EXPECT_EQ(on_device(points, scalars), on_host(points, scalars)) << points.size() << " points";
    EXPECT_EQ(gpu_.usage().in_use, 0U);
  }

  test::Random random_{7};
  test::GpuQueue gpu_{std::size_t{4} << 30};
};
TYPED_TEST_SUITE(DeviceMsm, test::Groups, test::GroupNames);

TYPED_TEST(DeviceMsm, EverySmallSize) {
  for (const std::size_t size : {0, 1, 2, 3, 31, 64, 100, 1000, 1025, 4099})
    this->check(test::random_points<TypeParam>(size, this->random_), test::random_fields<Fr>(size, this->random_));
}

TYPED_TEST(DeviceMsm, LargerSizes) {
  for (const std::size_t size : {(1 << 16) - 1, 1 << 17})
    this->check(test::random_points<TypeParam>(size, this->random_), test::random_fields<Fr>(size, this->random_));
}

TYPED_TEST(DeviceMsm, EdgeScalarsMeetEdgePoints) {
  const TypeParam point = test::random_point<TypeParam>(this->random_);
  const Fr scalars[] = {Fr::zero(), Fr::one(), -Fr::one(), Fr::from_u64(2), -Fr::from_u64(2), Fr::from_u64(1 << 15)};
  const TypeParam points[] = {point, -point, TypeParam::infinity(), TypeParam::generator()};
  std::vector<TypeParam> p;
  std::vector<Fr> s;
  for (int repeat = 0; repeat < 5; ++repeat) {
    for (const Fr& scalar : scalars) {
      for (const TypeParam& each : points) {
        p.push_back(each);
        s.push_back(scalar);
      }
    }
  }
  this->check(p, s);
}

TYPED_TEST(DeviceMsm, OneBucketThatHoldsEveryPoint) {
  const auto points = test::random_points<TypeParam>(5000, this->random_);
  this->check(points, std::vector<Fr>(points.size(), -Fr::from_u64(3)));
  this->check(std::vector<TypeParam>(points.size(), points.front()), std::vector<Fr>(points.size(), Fr::from_u64(3)));
}

TYPED_TEST(DeviceMsm, EveryWidthAndGroup) {
  const auto points = test::random_points<TypeParam>(700, this->random_);
  const auto scalars = test::random_fields<Fr>(points.size(), this->random_);
  const auto expected = this->on_host(points, scalars);
  const auto p = this->gpu_.upload(points);
  const auto s = this->gpu_.upload(scalars);
  for (unsigned bits = 3; bits <= 20; ++bits) {
    for (const unsigned at_once : {1U, 3U, 16U}) {
      if (bits > 16 && at_once > 1) continue;
      const auto sum =
          multi_scalar_mul_tuned<typename TypeParam::Curve>(this->gpu_.queue(), p.span(), s.span(), {bits, at_once});
      ASSERT_EQ(sum, expected) << bits << " bits, " << at_once << " windows at once";
    }
  }
}

TYPED_TEST(DeviceMsm, PointsThatIndicesName) {
  const auto points = test::random_points<TypeParam>(3000, this->random_);
  const auto scalars = test::random_fields<Fr>(500, this->random_);
  std::vector<u32> indices(scalars.size());
  for (u32& index : indices) index = static_cast<u32>(this->random_() % points.size());
  const auto p = this->gpu_.upload(points);
  const auto i = this->gpu_.upload(indices);
  const auto s = this->gpu_.upload(scalars);
  EXPECT_EQ((multi_scalar_mul_indexed<typename TypeParam::Curve>(this->gpu_.queue(), p.span(), i.span(), s.span(),
                                                                 msm_tuning(this->gpu_.queue().device, s.size()))),
            msm::multi_scalar_mul_indexed(std::span<const TypeParam>(points), std::span<const u32>(indices),
                                          std::span<const Fr>(scalars), ThreadPool::shared()));
}

TYPED_TEST(DeviceMsm, SizesThatDifferAreRefused) {
  const auto p = this->gpu_.upload(test::random_points<TypeParam>(3, this->random_));
  const auto s = this->gpu_.upload(test::random_fields<Fr>(4, this->random_));
  EXPECT_THROW(multi_scalar_mul<typename TypeParam::Curve>(this->gpu_.queue(), p.span(), s.span()), Error);
}

TYPED_TEST(DeviceMsm, TuningsOutsideTheirBoundsAreRefused) {
  using Curve = typename TypeParam::Curve;
  const auto p = this->gpu_.upload(test::random_points<TypeParam>(3, this->random_));
  const auto s = this->gpu_.upload(test::random_fields<Fr>(3, this->random_));
  for (const MsmTuning tuning :
       {MsmTuning{2, 1}, MsmTuning{27, 1}, MsmTuning{16, 0}, MsmTuning{16, 1, 0}, MsmTuning{16, 1, 17}})
    EXPECT_THROW(multi_scalar_mul_tuned<Curve>(this->gpu_.queue(), p.span(), s.span(), tuning), Error);
}

class MsmWithMultiples : public testing::Test {
 protected:
  G1 on_device(std::span<const G1Affine> points, std::span<const Fr> scalars, const MsmTuning& tuning) {
    const auto p = gpu_.upload(std::vector<G1Affine>(points.begin(), points.end()));
    const auto s = gpu_.upload(std::vector<Fr>(scalars.begin(), scalars.end()));
    const auto multiples = point_multiples(gpu_.queue(), p.span(), tuning);
    return multi_scalar_mul_tuned<G1Curve>(gpu_.queue(), multiples.span(), s.span(), tuning);
  }

  test::Random random_{11};
  test::GpuQueue gpu_{std::size_t{4} << 30};
};

TEST_F(MsmWithMultiples, EveryWidthAndNumber) {
  auto points = test::random_points<G1Affine>(333, random_);
  points[5] = G1Affine::infinity();
  points[7] = -points[6];
  auto scalars = test::random_fields<Fr>(points.size(), random_);
  scalars[0] = -Fr::one();
  scalars[1] = Fr::zero();
  scalars[7] = scalars[6];
  const G1 expected =
      msm::multi_scalar_mul(std::span<const G1Affine>(points), std::span<const Fr>(scalars), ThreadPool::shared());
  for (const unsigned bits : {3U, 8U, 13U, 16U}) {
    for (const unsigned multiples : {1U, 2U, 3U, 5U, 12U, 16U}) {
      for (const unsigned at_once : {1U, 2U, 16U})
        ASSERT_EQ(on_device(points, scalars, {bits, at_once, multiples}), expected)
            << bits << " bits, " << multiples << " multiples, " << at_once << " sets at once";
    }
  }
  EXPECT_EQ(gpu_.usage().in_use, 0U);
}

/// So few that NVIDIA's racecheck comes to an end.
TEST_F(MsmWithMultiples, OfAFewPoints) {
  const auto points = test::random_points<G1Affine>(40, random_);
  const auto scalars = test::random_fields<Fr>(points.size(), random_);
  EXPECT_EQ(
      on_device(points, scalars, {16, 2, 5}),
      msm::multi_scalar_mul(std::span<const G1Affine>(points), std::span<const Fr>(scalars), ThreadPool::shared()));
}

TEST_F(MsmWithMultiples, WhatTheTuningChooses) {
  for (const std::size_t size : {1U, 2U, 1000U, (1U << 16) + 1}) {
    const auto points = test::random_points<G1Affine>(size, random_);
    const auto scalars = test::random_fields<Fr>(size, random_);
    for (const unsigned multiples : {2U, 13U, 200U})
      EXPECT_EQ(
          on_device(points, scalars, multiples_tuning(gpu_.queue().device, size, multiples)),
          msm::multi_scalar_mul(std::span<const G1Affine>(points), std::span<const Fr>(scalars), ThreadPool::shared()))
          << size << " points, " << multiples << " multiples";
  }
}

TEST_F(MsmWithMultiples, PointsWithoutTheirMultiplesAreRefused) {
  const auto p = gpu_.upload(test::random_points<G1Affine>(4, random_));
  const auto s = gpu_.upload(test::random_fields<Fr>(4, random_));
  EXPECT_THROW(multi_scalar_mul_tuned<G1Curve>(gpu_.queue(), p.span(), s.span(), {8, 1, 2}), Error);
}

/// The sum of s_i (first + i step) is (sum of s_i) first + (sum of i s_i) step.
TEST(DeviceMsmFullSize, Progression) {
  constexpr std::size_t kSize = std::size_t{1} << 24;
  test::GpuQueue gpu(std::size_t{24} << 30);
  test::Random random(3);
  const auto first = test::random_point<G1Affine>(random), step = test::random_point<G1Affine>(random);
  const std::vector<Fr> scalars = test::random_fields<Fr>(kSize, random);
  Fr sum = Fr::zero(), weighted = Fr::zero();
  for (std::size_t i = 0; i < kSize; ++i) {
    sum += scalars[i];
    weighted += scalars[i] * Fr::from_u64(i);
  }
  const auto points = point_progression<G1Curve>(gpu.queue(), first, step, kSize);
  const auto s = gpu.upload(scalars);
  EXPECT_EQ(multi_scalar_mul<G1Curve>(gpu.queue(), points.span().first(kSize), s.span()),
            first * sum + step * weighted);
}

}  // namespace
}  // namespace cuzk::cuda
