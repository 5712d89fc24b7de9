#include "filecoin/sealing/block_tree.h"

#include <gtest/gtest.h>

namespace cuzk::filecoin {
namespace {

template <class Rule, class MakeLeaf>
void expect_same_as_dense(const TreeShape& shape, u64 parts, MakeLeaf make_leaf) {
  std::vector<typename Rule::Value> blocks, leaves;
  const u64 count = leaf_count(shape);
  for (u64 b = 0; b < parts; ++b) blocks.push_back(make_leaf(b));
  for (u64 i = 0; i < count; ++i) leaves.push_back(blocks[i / (count / parts)]);
  const BlockMerkleTree<Rule> tree(shape, blocks, ThreadPool::shared());
  const MerkleTree<Rule> dense(shape, leaves, ThreadPool::shared());
  EXPECT_EQ(tree.root(), dense.root());
  for (std::size_t level = 0; level <= shape.size(); ++level)
    for (u64 i = 0; i < dense.level(level).size(); ++i) ASSERT_EQ(tree.node(level, i), dense.node(level, i)) << level;
}

TEST(BlockMerkleTree, EqualsTheDenseTree) {
  const auto element = [](u64 b) { return Fr::from_u64(b * b + 3); };
  for (const u64 parts : {1u, 2u, 4u, 16u, 128u}) expect_same_as_dense<PoseidonRule>({8, 8, 2}, parts, element);
  const auto node = [](u64 b) { return Node{static_cast<u8>(b)}; };
  for (const u64 parts : {1u, 4u, 64u}) expect_same_as_dense<Sha256Rule>({2, 2, 2, 2, 2, 2}, parts, node);
}

}  // namespace
}  // namespace cuzk::filecoin
