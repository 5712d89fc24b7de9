// Points and their bytes go both ways, for any point and for any bytes that are one.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "curve/encoding.h"
#include "curve/subgroup.h"
#include "support/random_points.h"

namespace cuzk {
namespace {

template <class Affine>
class PointRoundTrip : public testing::Test {};
using RoundTripGroups = testing::Types<G1Affine, G2Affine>;
TYPED_TEST_SUITE(PointRoundTrip, RoundTripGroups);

/// Infinity once in eight.
template <class Affine>
Affine any_point(u64 seed) {
  test::Random random(seed);
  return seed % 8 == 0 ? Affine::infinity() : test::random_point<Affine>(random);
}

/// The encoding of a point of the curve, mostly outside the subgroup, or of none: x random, the larger root or the smaller.
template <class Affine>
std::array<u8, kCompressedBytes<Affine>> any_compressed(u64 seed) {
  test::Random random(seed);
  const auto x = test::random_field<typename Affine::Field>(random);
  auto bytes = to_compressed(Affine{x, x});
  bytes[0] = static_cast<u8>((bytes[0] & 0x1f) | (random() % 2 == 0 ? 0x80 : 0xa0));
  return bytes;
}

TYPED_TEST(PointRoundTrip, PointsThroughBytes) {
  EXPECT_TRUE(rc::check([](u64 seed) {
    const auto point = any_point<TypeParam>(seed);
    RC_ASSERT(from_compressed<TypeParam>(to_compressed(point)).value_or_throw("p") == point);
    RC_ASSERT(from_uncompressed<TypeParam>(to_uncompressed(point)).value_or_throw("p") == point);
  }));
}

TYPED_TEST(PointRoundTrip, BytesThroughPoints) {
  EXPECT_TRUE(rc::check([](u64 seed) {
    const auto bytes = any_compressed<TypeParam>(seed);
    const auto decoded = from_compressed_unchecked<TypeParam>(bytes);
    RC_CLASSIFY(decoded.ok());
    if (!decoded.ok()) return;
    RC_ASSERT(to_compressed(decoded.point) == bytes);
    RC_ASSERT(from_uncompressed_unchecked<TypeParam>(to_uncompressed(decoded.point)).point == decoded.point);
    RC_ASSERT(from_compressed<TypeParam>(bytes).ok() == is_in_subgroup(decoded.point));
  }));
}

TYPED_TEST(PointRoundTrip, ADamagedBitIsRefusedOrAnotherPoint) {
  EXPECT_TRUE(rc::check([](u64 seed) {
    const auto point = any_point<TypeParam>(seed);
    auto bytes = to_uncompressed(point);
    const auto bit = *rc::gen::inRange<std::size_t>(0, bytes.size() * 8);
    bytes[bit / 8] ^= static_cast<u8>(1 << bit % 8);
    const auto decoded = from_uncompressed_unchecked<TypeParam>(bytes);
    RC_ASSERT(!decoded.ok() || decoded.point != point);
  }));
}

}  // namespace
}  // namespace cuzk
