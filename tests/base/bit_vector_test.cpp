#include "base/bit_vector.h"

#include <gtest/gtest.h>

namespace cuzk {
namespace {

TEST(BitVector, AppendsAcrossWords) {
  BitVector bits;
  std::vector<bool> expected;
  u64 pattern = 0x9e3779b97f4a7c15;
  for (unsigned count : {1U, 63U, 64U, 7U, 64U, 0U, 33U, 32U, 5U}) {
    bits.append(pattern, count);
    for (unsigned i = 0; i < count; ++i) expected.push_back(((pattern >> i) & 1) != 0);
    pattern *= 3;
  }
  ASSERT_EQ(bits.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(bits[i], expected[i]) << i;
}

TEST(BitVector, BitsPastTheEndAreZero) {
  BitVector bits;
  bits.append(~u64{0}, 3);
  EXPECT_EQ(bits.words().back(), 7U);
  EXPECT_EQ(bits.count(), 3U);
}

TEST(BitVector, AViewReadsTheSameBits) {
  BitVector bits(130);
  bits.set(129);
  const BitSpan view = bits;
  EXPECT_EQ(view.size, 130U);
  EXPECT_TRUE(view[129]);
  EXPECT_FALSE(view[128]);
}

}  // namespace
}  // namespace cuzk
