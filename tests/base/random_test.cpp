#include "base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace cuzk {
namespace {

bool all_zero(std::span<const u8> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](u8 byte) { return byte == 0; });
}

TEST(Random, TwoDrawsDiffer) { EXPECT_NE(random_bytes<32>(), random_bytes<32>()); }

TEST(Random, FillsMoreThanOneCallGives) {
  std::vector<u8> bytes(100'000);
  fill_random(bytes);
  EXPECT_FALSE(all_zero(std::span(bytes).last(32)));
}

TEST(Wipe, OverwritesBytesAndValues) {
  auto bytes = random_bytes<32>();
  wipe(bytes);
  EXPECT_TRUE(all_zero(bytes));
  u64 value = 12345;
  wipe(value);
  EXPECT_EQ(value, 0U);
}

TEST(Wipe, HappensAtTheEndOfAScope) {
  std::array<u64, 4> secret{1, 2, 3, 4};
  { const WipeAtEnd guard(secret); }
  EXPECT_EQ(secret, (std::array<u64, 4>{}));
}

}  // namespace
}  // namespace cuzk
