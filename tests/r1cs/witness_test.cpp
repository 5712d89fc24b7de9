#include "r1cs/witness.h"

#include <gtest/gtest.h>

#include "r1cs/bit_gather.h"
#include "support/random.h"

namespace cuzk::r1cs {
namespace {

Witness mixed_witness() {
  Witness witness;
  witness.add_bits(0b1011, 4);
  witness.add_element(Fr::from_u64(7));
  witness.add_element(Fr::one());
  BitVector bits;
  for (int i = 0; i < 100; ++i) bits.push_back(i % 3 == 0);
  witness.add_bits(bits);
  witness.add_bits(1, 1);
  witness.add_elements(std::array{Fr::zero()});
  return witness;
}

TEST(Witness, JoinsSegmentsOfOneKind) {
  const Witness witness = mixed_witness();
  ASSERT_EQ(witness.segments().size(), 4u);
  EXPECT_EQ(witness.segments()[2].first, 6u);
  EXPECT_EQ(witness.segments()[2].count, 101u);
  EXPECT_EQ(witness.aux_count(), 108u);
  EXPECT_EQ(witness.aux(2), Fr::zero());
  EXPECT_EQ(witness.aux(3), Fr::one());
  EXPECT_EQ(witness.aux(4), Fr::from_u64(7));
  EXPECT_EQ(witness.aux(106), Fr::one());
  EXPECT_EQ(witness.aux(107), Fr::zero());
  EXPECT_THROW(witness.aux(108), std::runtime_error);
}

TEST(DenseWitness, MeetsTheListedVariablesInOrder) {
  const Witness witness = mixed_witness();
  test::Random random(2);
  for (int repeat = 0; repeat < 50; ++repeat) {
    BitVector density(witness.aux_count());
    for (u32 i = 0; i < witness.aux_count(); ++i) {
      if (random() % 3 != 0) density.set(i);
    }
    const DenseWitness dense = select_dense(witness, density);
    std::size_t point = 0, element = 0;
    for (u32 i = 0; i < witness.aux_count(); ++i) {
      if (!density[i]) continue;
      if (element < dense.indices.size() && dense.indices[element] == point) {
        EXPECT_EQ(dense.scalars[element++], witness.aux(i));
        EXPECT_FALSE(dense.ones[point]);
      } else {
        EXPECT_EQ(dense.ones[point] ? Fr::one() : Fr::zero(), witness.aux(i));
      }
      ++point;
    }
    EXPECT_EQ(point, dense.ones.size());
    EXPECT_EQ(element, dense.indices.size());
  }
}

TEST(DenseWitness, AllListsEveryVariable) {
  const DenseWitness dense = select_all(mixed_witness());
  EXPECT_EQ(dense.ones.size(), 108u);
  EXPECT_EQ(dense.indices, (std::vector<u32>{4, 5, 107}));
}

TEST(DenseWitness, RefusesADensityOfAnotherSize) {
  EXPECT_THROW(select_dense(mixed_witness(), BitVector(107)), std::runtime_error);
}

TEST(BitGather, ChosenEqualsPortable) {
  test::Random random(3);
  for (int i = 0; i < 1000; ++i) {
    const u64 value = random(), mask = random() & random();
    EXPECT_EQ(gather_bits(value, mask), detail::gather_bits_portable(value, mask));
  }
  EXPECT_EQ(gather_bits(0b1101, 0b0101), 0b11u);
  EXPECT_EQ(gather_bits(5, ~u64{0}), 5u);
}

}  // namespace
}  // namespace cuzk::r1cs
