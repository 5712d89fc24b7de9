#include "msm/msm.h"

#include "base/error.h"
#include "base/hex.h"
#include "curve/encoding.h"
#include "msm/msm_support.h"
#include "support/stopping.h"
#include "support/vectors.h"

namespace cuzk {
namespace {

template <class Affine>
class MultiScalarMul : public testing::Test {
 protected:
  using Curve = typename Affine::Curve;
  using Sum = Point<Curve>;

  static Sum sum(const std::vector<Affine>& points, const std::vector<Fr>& scalars,
                 ThreadPool& pool = ThreadPool::shared()) {
    return msm::multi_scalar_mul(std::span<const Affine>(points), std::span<const Fr>(scalars), pool);
  }
  static Sum indexed(const std::vector<Affine>& points, const std::vector<u32>& indices,
                     const std::vector<Fr>& scalars) {
    return msm::multi_scalar_mul_indexed(std::span<const Affine>(points), std::span<const u32>(indices),
                                         std::span<const Fr>(scalars), ThreadPool::shared());
  }
  static void check(const std::vector<Affine>& points, const std::vector<Fr>& scalars) {
    EXPECT_EQ(sum(points, scalars), test::naive_sum(points, scalars)) << points.size() << " points";
  }

  /// Vectors: the group's entries.
  static const nlohmann::json& vectors() {
    return test::vector_json("primitives/multiexp.json").at(std::is_same_v<Affine, G1Affine> ? "g1" : "g2");
  }
  static Affine point(const nlohmann::json& hex) {
    const auto bytes = from_hex(hex.get<std::string>());
    constexpr std::size_t kBytes = kCompressedBytes<Affine>;
    return from_compressed<Affine>(std::span<const u8, kBytes>(bytes.data(), kBytes)).value_or_throw("vector");
  }
  static Fr scalar(const nlohmann::json& hex) {
    const auto bytes = from_hex(hex.get<std::string>());
    return Fr::from_bytes(std::span<const u8, 32>(bytes.data(), 32)).value();
  }
};
TYPED_TEST_SUITE(MultiScalarMul, test::Groups, test::GroupNames);

TYPED_TEST(MultiScalarMul, SmallVectorsAgree) {
  const auto& entries = this->vectors().at("small");
  ASSERT_FALSE(entries.empty());
  for (const auto& entry : entries) {
    std::vector<TypeParam> bases;
    for (const auto& base : entry.at("bases")) bases.push_back(this->point(base));
    const auto density = entry.at("density").template get<std::string>();
    auto index = entry.at("offset").template get<u32>();
    std::vector<u32> indices;
    std::vector<Fr> scalars;
    for (std::size_t i = 0; i < density.size(); ++i) {
      if (density[i] != '1') continue;
      indices.push_back(index++);
      scalars.push_back(this->scalar(entry.at("scalars").at(i)));
    }
    EXPECT_EQ(this->indexed(bases, indices, scalars).to_affine(), this->point(entry.at("result"))) << entry.at("case");
  }
}

/// The scalars of a big vector, by the words that describe them.
Fr described_scalar(const std::string& words, std::size_t i, const Fr& chain) {
  if (words.starts_with("v_i = 0, 1, i mod 256, s_i")) {
    const Fr choices[] = {Fr::zero(), Fr::one(), Fr::from_u64(i % 256), chain};
    return choices[i % 4];
  }
  EXPECT_EQ(words, "s_{i+1} = s_i^2 + i");
  return chain;
}

bool described_density(const std::string& words, std::size_t i) {
  if (words == "d_i = (i mod 3 != 1)") return i % 3 != 1;
  EXPECT_EQ(words, "all ones");
  return true;
}

TYPED_TEST(MultiScalarMul, BigVectorsAgree) {
  const auto& entries = this->vectors().at("big");
  ASSERT_FALSE(entries.empty());
  for (const auto& entry : entries) {
    const std::size_t count = std::size_t{1} << entry.at("log_n").template get<unsigned>();
    const TypeParam step = this->point(entry.at("d"));
    Point<typename TypeParam::Curve> base = this->point(entry.at("p0"));
    std::vector<Point<typename TypeParam::Curve>> bases;
    std::vector<Fr> scalars;
    Fr chain = this->scalar(entry.at("s0"));
    for (std::size_t i = 0; i < count; ++i) {
      if (described_density(entry.at("density"), i)) {
        bases.push_back(base);
        base += step;
        scalars.push_back(described_scalar(entry.at("scalars"), i, chain));
      }
      chain = chain.squared() + Fr::from_u64(i);
    }
    EXPECT_EQ(this->sum(normalize(bases), scalars).to_affine(), this->point(entry.at("result")))
        << entry.at("log_n") << ' ' << entry.at("scalars");
  }
}

TYPED_TEST(MultiScalarMul, EveryLengthUpToAHundred) {
  test::Random random(1);
  for (std::size_t count = 0; count <= 100; count += count < 12 ? 1 : 11) {
    this->check(test::random_points<TypeParam>(count, random), test::random_fields<Fr>(count, random));
  }
}

TYPED_TEST(MultiScalarMul, ZeroScalarsAndOnes) {
  test::Random random(2);
  const auto points = test::random_points<TypeParam>(200, random);
  EXPECT_TRUE(this->sum(points, std::vector<Fr>(200, Fr::zero())).is_infinity());
  this->check(points, std::vector<Fr>(200, Fr::one()));
  this->check(points, std::vector<Fr>(200, -Fr::one()));
}

TYPED_TEST(MultiScalarMul, OnePointRepeatedAndItsNegative) {
  test::Random random(3);
  const auto p = test::random_point<TypeParam>(random);
  std::vector<TypeParam> points(300, p);
  const auto scalars = test::random_fields<Fr>(300, random);
  this->check(points, scalars);
  this->check(points, std::vector<Fr>(300, scalars[0]));
  for (std::size_t i = 0; i < points.size(); i += 2) points[i] = -p;
  this->check(points, std::vector<Fr>(300, scalars[0]));
  this->check(points, scalars);
}

TYPED_TEST(MultiScalarMul, PointsAtInfinityAddNothing) {
  test::Random random(4);
  auto points = test::random_points<TypeParam>(150, random);
  for (std::size_t i = 0; i < points.size(); i += 3) points[i] = TypeParam::infinity();
  this->check(points, test::random_fields<Fr>(150, random));
  EXPECT_TRUE(
      this->sum(std::vector<TypeParam>(50, TypeParam::infinity()), test::random_fields<Fr>(50, random)).is_infinity());
}

TYPED_TEST(MultiScalarMul, DigitsAtTheEdgesOfWindows) {
  test::Random random(5);
  std::vector<Fr> scalars;
  for (unsigned bit = 0; bit < 254; bit += 3) {
    const Fr power = Fr::from_u64(2).pow(u64{bit});
    for (const Fr& scalar : {power, power - Fr::one(), -power, -power - Fr::one()}) scalars.push_back(scalar);
  }
  this->check(test::random_points<TypeParam>(scalars.size(), random), scalars);
}

TYPED_TEST(MultiScalarMul, AgreesForWindowsAndThreads) {
  test::Random random(6);
  const auto points = test::random_points<TypeParam>(120, random);
  auto scalars = test::random_fields<Fr>(120, random);
  scalars[7] = -Fr::one();
  const auto expected = test::naive_sum(points, scalars);
  ThreadPool one(1), three(3);
  for (const unsigned bits : {3U, 4U, 5U, 8U, 11U, 13U, 16U}) {
    for (ThreadPool* pool : {&one, &three}) {
      EXPECT_EQ(
          msm::multi_scalar_mul_windowed(std::span<const TypeParam>(points), std::span<const Fr>(scalars), bits, *pool),
          expected)
          << bits;
    }
  }
}

TYPED_TEST(MultiScalarMul, IsLinearInScalarsAndPoints) {
  test::Random random(7);
  const std::size_t count = 20000;
  const auto points = test::random_points<TypeParam>(count, random);
  const auto x = test::random_fields<Fr>(count, random), y = test::random_fields<Fr>(count, random);
  const Fr factor = test::random_field<Fr>(random);
  std::vector<Fr> combined(count);
  for (std::size_t i = 0; i < count; ++i) combined[i] = factor * x[i] + y[i];
  EXPECT_EQ(this->sum(points, combined), this->sum(points, x) * factor + this->sum(points, y));
}

TYPED_TEST(MultiScalarMul, PartsAddUp) {
  test::Random random(8);
  const auto points = test::random_points<TypeParam>(3000, random);
  const auto scalars = test::random_fields<Fr>(3000, random);
  const auto part = [&](auto first, auto last) {
    return this->sum({points.begin() + first, points.begin() + last},
                     {scalars.begin() + first, scalars.begin() + last});
  };
  EXPECT_EQ(part(0, 1000) + part(1000, 3000), part(0, 3000));
}

TYPED_TEST(MultiScalarMul, IndicesPickPoints) {
  test::Random random(9);
  const auto points = test::random_points<TypeParam>(500, random);
  const auto scalars = test::random_fields<Fr>(300, random);
  std::vector<u32> indices(300);
  std::vector<TypeParam> picked;
  for (u32& index : indices) {
    index = static_cast<u32>(random() % points.size());
    picked.push_back(points[index]);
  }
  EXPECT_EQ(this->indexed(points, indices, scalars), this->sum(picked, scalars));
}

TYPED_TEST(MultiScalarMul, RefusesUnequalLengthsAndWildIndices) {
  const std::vector<TypeParam> points(3, TypeParam::generator());
  EXPECT_THROW(this->sum(points, std::vector<Fr>(2, Fr::one())), Error);
  EXPECT_THROW(this->indexed(points, {0, 1}, {Fr::one()}), Error);
  EXPECT_THROW(this->indexed(points, {0, 3}, {Fr::one(), Fr::one()}), Error);
}

TYPED_TEST(MultiScalarMul, EndsWhereItsPoolIsStopped) {
  test::Random random(10);
  const std::vector<TypeParam> points(20'000, test::random_point<TypeParam>(random));
  const auto scalars = test::random_fields<Fr>(points.size(), random);
  test::expect_stops([&](ThreadPool& pool) { this->sum(points, scalars, pool); });
}

}  // namespace
}  // namespace cuzk
