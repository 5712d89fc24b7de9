#include "groth16/blinding.h"

#include <gtest/gtest.h>

namespace cuzk::groth16 {
namespace {

TEST(Blinding, IsDrawnAfreshEachTime) {
  const Blinding first = Blinding::fresh(), second = Blinding::fresh();
  EXPECT_NE(first.r(), first.s());
  EXPECT_NE(first.r(), second.r());
  EXPECT_NE(first.s(), second.s());
}

TEST(Blinding, UsesTheWholeField) {
  int large = 0;
  for (int i = 0; i < 256; ++i) large += random_fr().to_integer()[3] >= Fr::kModulus[3] / 2 ? 1 : 0;
  EXPECT_GT(large, 64);
  EXPECT_LT(large, 192);
}

TEST(Blinding, CanComeFromASource) {
  const BlindingSource source = [] { return Blinding::insecure_fixed(Fr::from_u64(3), Fr::from_u64(5)); };
  const Blinding blinding = source();
  EXPECT_EQ(blinding.r(), Fr::from_u64(3));
  EXPECT_EQ(blinding.s(), Fr::from_u64(5));
}

TEST(Blinding, WipesItselfAtItsEnd) {
  alignas(Blinding) std::array<u8, sizeof(Blinding)> memory;
  auto* const blinding = new (memory.data()) Blinding(Blinding::fresh());
  blinding->~Blinding();
  EXPECT_EQ(memory, (std::array<u8, sizeof(Blinding)>{}));
}

}  // namespace
}  // namespace cuzk::groth16
