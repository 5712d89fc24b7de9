// Hashes computed ahead give the witness that a circuit computes by itself; wrong ones are passed over.
#include "gadgets/prepare_paths.h"

#include <gtest/gtest.h>

#include "gadgets/por.h"
#include "gadgets/poseidon.h"
#include "r1cs/expansion.h"
#include "support/random.h"

namespace cuzk::gadgets {
namespace {

constexpr std::size_t kLevels = 3, kPaths = 11;

std::vector<MerklePath> random_paths(test::Random& random) {
  std::vector<MerklePath> paths(kPaths);
  for (MerklePath& path : paths)
    for (const std::size_t arity : {8, 8, 2}) {
      const auto siblings = test::random_fields<Fr>(arity - 1, random);
      path.push_back({{siblings.begin(), siblings.end()}, static_cast<u32>(random() % arity)});
    }
  return paths;
}

std::vector<PreparedPath> climbs(const std::vector<MerklePath>& paths, const Fr& leaf) {
  std::vector<PreparedPath> result;
  for (std::size_t i = 0; i < paths.size(); ++i) result.push_back({leaf, &paths[i], i * kLevels});
  return result;
}

std::vector<Fr> elements_of(WitnessBuilder builder, const std::vector<MerklePath>& paths) {
  for (const MerklePath& path : paths) merkle_root(builder, Fr::one(), path, TreeHash::poseidon);
  const r1cs::Witness witness = r1cs::expanded(std::move(builder).finish(), ThreadPool::shared());
  return {witness.elements().begin(), witness.elements().end()};
}

WitnessBuilder prepared_for(const std::vector<MerklePath>& paths, const Fr& leaf) {
  WitnessBuilder builder;
  builder.prepared().expect(kPaths * kLevels);
  prepare_paths(builder, climbs(paths, leaf));
  return builder;
}

TEST(PreparePaths, GiveTheSameWitness) {
  test::Random random(21);
  const auto paths = random_paths(random);
  EXPECT_EQ(elements_of(prepared_for(paths, Fr::one()), paths), elements_of(WitnessBuilder(), paths));
}

TEST(PreparePaths, ThatAreWrongChangeNothing) {
  test::Random random(22);
  const auto paths = random_paths(random);
  EXPECT_EQ(elements_of(prepared_for(paths, Fr::zero()), paths), elements_of(WitnessBuilder(), paths));
  auto others = paths;
  others[4][1].siblings[2] += Fr::one();
  EXPECT_EQ(elements_of(prepared_for(others, Fr::one()), paths), elements_of(WitnessBuilder(), paths));
}

TEST(PreparePaths, AreTakenInOrderAndOnce) {
  const std::vector<Fr> pair{Fr::from_u64(3), Fr::from_u64(4)};
  WitnessBuilder builder;
  builder.prepared().expect(1);
  const auto hash = prepare_poseidon(builder, PoseidonTag::merkle, 2, pair, std::vector<std::size_t>{0});
  EXPECT_FALSE(builder.prepared().take({PoseidonTag::randomness, 2}, pair).has_value());
  EXPECT_EQ(poseidon(builder, pair), hash[0]);
  EXPECT_EQ(poseidon(builder, pair), hash[0]);  // by itself
  EXPECT_NE(poseidon(builder, pair, PoseidonTag::randomness), hash[0]);
}

}  // namespace
}  // namespace cuzk::gadgets
