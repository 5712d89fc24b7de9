#include "curve/encoding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/sha.h>

#include "base/error.h"
#include "base/hex.h"
#include "curve/normalize.h"
#include "curve/subgroup.h"
#include "support/random_points.h"
#include "support/vectors.h"

namespace cuzk {
namespace {

struct Names {
  std::string key, compressed, uncompressed;  // the key in curves.json and the digests of the multiples 0 .. 999
};
template <class Affine>
Names names();
template <>
Names names<G1Affine>() {
  return {"g1", "8acaa1d512b4cf96f4740e4c9afc19ba4618d48fe251c452a19382395bcd0929",
          "e25aae8e95c9cd39cdb1eec0100c8245e297510fef0091cbf80b91d49de6b685"};
}
template <>
Names names<G2Affine>() {
  return {"g2", "b75bc2e41289adda41e448e56a1ea39b11009a27b02e8676c8b86defedc05deb",
          "80fd0516c8115b13165589324558649fa94f49e714caa3b735537d073a9cfb65"};
}

template <class Affine>
class Encoding : public testing::Test {
 protected:
  static constexpr std::size_t kShort = kCompressedBytes<Affine>, kLong = kUncompressedBytes<Affine>;

  static nlohmann::json vectors(const std::string& section) {
    return test::vector_json("primitives/curves.json")[names<Affine>().key][section];
  }

  static Decoded<Affine> decode(const std::string& form, const std::vector<u8>& bytes) {
    if (form == "compressed") return from_compressed<Affine>(std::span<const u8, kShort>(bytes));
    return from_uncompressed<Affine>(std::span<const u8, kLong>(bytes));
  }
  static Decoded<Affine> decode_unchecked(const std::string& form, const std::vector<u8>& bytes) {
    if (form == "compressed") return from_compressed_unchecked<Affine>(std::span<const u8, kShort>(bytes));
    return from_uncompressed_unchecked<Affine>(std::span<const u8, kLong>(bytes));
  }
  static Affine point(const nlohmann::json& uncompressed) {
    return decode("uncompressed", from_hex(uncompressed.get<std::string>())).value_or_throw("vector");
  }
};
using EncodedGroups = testing::Types<G1Affine, G2Affine>;
TYPED_TEST_SUITE(Encoding, EncodedGroups);

TYPED_TEST(Encoding, AcceptsAndRefusesAsTheGoldenVectors) {
  for (const auto& v : this->vectors("encodings")) {
    const auto bytes = from_hex(v["bytes"].template get<std::string>());
    const std::string form = v["form"], name = v["case"];
    const auto checked = this->decode(form, bytes), unchecked = this->decode_unchecked(form, bytes);
    if (form == "uncompressed" && (bytes[0] & 0x80) != 0) {  // the crates decode half of it; we are strict
      EXPECT_EQ(checked.fault, EncodingFault::compression_flag_set) << name;
      EXPECT_EQ(unchecked.fault, EncodingFault::compression_flag_set) << name;
      continue;
    }
    EXPECT_EQ(checked.ok(), v["checked_ok"].template get<bool>()) << name;
    EXPECT_EQ(unchecked.ok(), v["unchecked_ok"].template get<bool>()) << name;
    if (!unchecked.ok()) continue;
    EXPECT_EQ(to_hex(to_uncompressed(unchecked.point)), v["decoded"].template get<std::string>());
    EXPECT_EQ(checked.point, checked.ok() ? unchecked.point : TypeParam::infinity());
  }
}

TYPED_TEST(Encoding, AdditionsAgreeWithTheGoldenVectors) {
  using Group = Point<typename TypeParam::Curve>;
  for (const auto& v : this->vectors("additions")) {
    const TypeParam p = this->point(v["p"]), q = this->point(v["q"]);
    EXPECT_EQ((Group(p) + q).to_affine(), this->point(v["sum"])) << v["case"];
    EXPECT_EQ((Group(p) + Group(q)).to_affine(), this->point(v["sum"])) << v["case"];
    EXPECT_EQ(Group(p).doubled().to_affine(), this->point(v["double_p"])) << v["case"];
    EXPECT_EQ(-p, this->point(v["neg_p"])) << v["case"];
  }
}

TYPED_TEST(Encoding, MultiplesOfTheGeneratorAgreeWithTheGoldenVectors) {
  for (const auto& v : this->vectors("multiples_of_generator")) {
    const auto k = from_hex(v["k"].template get<std::string>());
    const auto scalar = Fr::from_bytes(std::span<const u8, 32>(k)).value();
    const TypeParam p = (TypeParam::generator() * scalar).to_affine();
    EXPECT_EQ(to_hex(to_compressed(p)), v["compressed"].template get<std::string>());
    EXPECT_EQ(to_hex(to_uncompressed(p)), v["uncompressed"].template get<std::string>());
  }
}

/// The digest of the encodings of 0, g, 2 g, ... 999 g, as Zcash published it.
template <class Affine, class Encode>
std::string digest_of_multiples(Encode encode) {
  std::vector<u8> all;
  auto p = Point<typename Affine::Curve>::infinity();
  for (int k = 0; k < 1000; ++k, p += Affine::generator()) {
    const auto bytes = encode(p.to_affine());
    all.insert(all.end(), bytes.begin(), bytes.end());
  }
  std::array<u8, 32> digest;
  SHA256(all.data(), all.size(), digest.data());
  return to_hex(digest);
}

TYPED_TEST(Encoding, ThousandMultiplesHashToZcashsDigests) {
  EXPECT_EQ(digest_of_multiples<TypeParam>(to_compressed<TypeParam>), names<TypeParam>().compressed);
  EXPECT_EQ(digest_of_multiples<TypeParam>(to_uncompressed<TypeParam>), names<TypeParam>().uncompressed);
}

TYPED_TEST(Encoding, RoundTrips) {
  test::Random random(3);
  auto points = test::random_points<TypeParam>(50, random);
  points.push_back(TypeParam::infinity());
  for (const TypeParam& p : points) {
    EXPECT_EQ(from_compressed<TypeParam>(to_compressed(p)).value_or_throw("p"), p);
    EXPECT_EQ(from_uncompressed<TypeParam>(to_uncompressed(p)).value_or_throw("p"), p);
  }
}

TYPED_TEST(Encoding, SubgroupTestAgreesWithMultiplicationByR) {
  using Group = Point<typename TypeParam::Curve>;
  test::Random random(4);
  int found = 0;
  while (found < 20) {
    std::array<u8, TestFixture::kShort> bytes = to_compressed(test::random_point<TypeParam>(random));
    bytes[TestFixture::kShort - 1] ^= 1;  // nearly always leaves the subgroup
    const auto decoded = from_compressed_unchecked<TypeParam>(bytes);
    if (!decoded.ok()) continue;
    ++found;
    const Group cleared = Group(decoded.point).times(Fr::kModulus);
    EXPECT_EQ(is_in_subgroup(decoded.point), cleared.is_infinity());
    const TypeParam cofactor_part = cleared.to_affine();
    EXPECT_FALSE(is_in_subgroup(cofactor_part)) << "a point of the cofactor's part";
  }
}

TYPED_TEST(Encoding, EndomorphismIsAMultiplication) {
  using Group = Point<typename TypeParam::Curve>;
  test::Random random(5);
  const TypeParam p = test::random_point<TypeParam>(random);
  const Fr x = -Fr::from_u64(kCurveX);
  const Fr factor = std::is_same_v<TypeParam, G1Affine> ? -x.squared() : x;
  EXPECT_EQ(Group(endomorphism(p)), p * factor);
  EXPECT_EQ(endomorphism(TypeParam::infinity()), TypeParam::infinity());
}

TYPED_TEST(Encoding, NamesThePointAndTheFault) {
  std::array<u8, TestFixture::kLong> bytes = to_uncompressed(TypeParam::generator());
  bytes.back() ^= 1;
  try {
    from_uncompressed<TypeParam>(bytes).value_or_throw("toy.params: h[7]");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::invalid_input);
    EXPECT_STREQ(error.what(), "toy.params: h[7]: the point is not on the curve");
  }
}

}  // namespace
}  // namespace cuzk
