#include "r1cs/expansion.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "hash/poseidon_batch.h"
#include "r1cs/hashing_witness.h"
#include "r1cs/witness_digest.h"

namespace cuzk::r1cs {
namespace {

/// The values one by one, each hash by the simple permutation.
std::vector<Fr> simple_values(const Witness& witness) {
  std::vector<Fr> values;
  for (const Segment& segment : witness.segments()) {
    if (segment.kind != Segment::Kind::hash) {
      for (u32 i = 0; i < segment.count; ++i) values.push_back(witness.aux(segment.first + i));
      continue;
    }
    const PoseidonKind kind = PoseidonKind::of(segment.form);
    std::vector<Fr> trace(segment.count);
    trace_poseidon(kind.constants, kind.tag, witness.hash_inputs(segment), trace);
    values.insert(values.end(), trace.begin(), trace.end());
  }
  return values;
}

std::vector<Fr> walked_values(const Witness& witness) {
  std::vector<Fr> values;
  for_each_aux(witness, [&](const Fr& value) { values.push_back(value); });
  return values;
}

TEST(Expansion, HasTheSameValues) {
  for (const u32 hashes : {1u, 9u, 60u}) {
    const Witness packed = hashing_witness(hashes, hashes);
    const Witness plain = expanded(packed, ThreadPool::shared());
    EXPECT_FALSE(packed.is_plain());
    EXPECT_TRUE(plain.is_plain());
    EXPECT_EQ(plain.aux_count(), packed.aux_count());
    EXPECT_TRUE(std::ranges::equal(plain.inputs(), packed.inputs()));
    const std::vector<Fr> values = simple_values(packed);
    EXPECT_EQ(walked_values(packed), values);
    EXPECT_EQ(walked_values(plain), values);
    EXPECT_EQ(plain.memory() - plain.segments().size() * sizeof(Segment), expanded_memory(packed));
  }
}

TEST(Expansion, OfManyPartsKeepsTheirOrder) {
  const Witness packed = hashing_witness(3, kExpandedTogether);  // more than two segments a hash
  EXPECT_EQ(digest(packed), digest(expanded(packed, ThreadPool::shared())));
}

TEST(Expansion, OfAPlainWitnessIsTheSame) {
  Witness witness;
  witness.add_bits(0b101, 3);
  witness.add_element(Fr::from_u64(9));
  EXPECT_EQ(walked_values(expanded(witness, ThreadPool::shared())), walked_values(witness));
  const PlainWitness plain(witness, ThreadPool::shared());
  EXPECT_EQ(&*plain, &witness);
}

TEST(Expansion, FindsAnyVariable) {
  const Witness packed = hashing_witness(5, 3);
  const std::vector<Fr> values = simple_values(packed);
  for (u32 i = 0; i < packed.aux_count(); i += 13) EXPECT_EQ(packed.aux(i), values[i]) << i;
}

TEST(Expansion, IsAskedForWhereValuesMeetAQuery) { EXPECT_THROW(select_all(hashing_witness(1, 2)), Error); }

TEST(Expansion, TakesTheFormsNumberOfInputs) {
  Witness witness;
  EXPECT_THROW(witness.add_hash({PoseidonTag::merkle, 8}, std::vector<Fr>(7, Fr::one())), Error);
  EXPECT_EQ(witness.aux_count(), 0u);
}

}  // namespace
}  // namespace cuzk::r1cs
