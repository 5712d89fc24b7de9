#include "filecoin/sealing/merkle_tree.h"

#include <gtest/gtest.h>

#include "base/hex.h"
#include "support/vectors.h"

namespace cuzk::filecoin {
namespace {

Fr parse_fr(const nlohmann::json& text) {
  return Fr::from_bytes(std::span<const u8, 32>(from_hex(text.get<std::string>()).data(), 32)).value();
}

/// x_0 given, x_{i+1} = x_i^2 + i: the chain rule of the vectors.
std::vector<Fr> chain(const nlohmann::json& first, u64 count) {
  std::vector<Fr> values{parse_fr(first)};
  for (u64 i = 0; i + 1 < count; ++i) values.push_back(values.back().squared() + Fr::from_u64(i));
  return values;
}

/// "8-8-2" with its number of leaves: levels of 8 up to the base trees, then the sub and the top tree.
TreeShape parse_shape(const std::string& text, u64 leaves) {
  const u32 base = static_cast<u32>(text[0] - '0'), sub = static_cast<u32>(text[2] - '0'),
            top = static_cast<u32>(text[4] - '0');
  u64 rest = leaves / std::max(sub, 1u) / std::max(top, 1u);
  TreeShape shape;
  for (; rest > 1; rest /= base) shape.push_back(base);
  if (sub != 0) shape.push_back(sub);
  if (top != 0) shape.push_back(top);
  return shape;
}

Node to_node(const Fr& value) { return value.to_bytes(); }
Node to_node(const Node& value) { return value; }

template <class Tree>
void check_tree(const Tree& tree, const nlohmann::json& expected) {
  EXPECT_EQ(to_hex(to_node(tree.root())), expected["root"]);
  for (const auto& proof : expected["proofs"]) {
    const auto path = path_of(tree, proof["challenge"]);
    ASSERT_EQ(path.size(), proof["path"].size());
    for (std::size_t level = 0; level < path.size(); ++level) {
      EXPECT_EQ(path[level].index, proof["path"][level]["index"]);
      ASSERT_EQ(path[level].siblings.size(), proof["path"][level]["siblings"].size());
      for (std::size_t i = 0; i < path[level].siblings.size(); ++i)
        EXPECT_EQ(to_hex(to_node(path[level].siblings[i])), proof["path"][level]["siblings"][i]);
    }
  }
}

template <class Rule, class Value>
void check_dense_and_sparse(const TreeShape& shape, const std::vector<Value>& leaves, const nlohmann::json& expected) {
  check_tree(MerkleTree<Rule>(shape, leaves, ThreadPool::shared()), expected);
  std::unordered_map<u64, Value> all;
  for (u64 i = 0; i < leaves.size(); ++i) all.emplace(i, leaves[i]);
  check_tree(SparseMerkleTree<Rule>(shape, leaves[0], all), expected);
}

TEST(MerkleTree, RootsAndPathsAreThoseOfTheVectors) {
  for (const auto& tree : nlohmann::json(test::vector_json("primitives/trees.json")["trees"])) {
    const u64 count = tree["leaves"];
    const auto leaves = chain(tree["leaf0"], count);
    const std::string shape = tree["shape"];
    if (!shape.starts_with("sha256")) {
      check_dense_and_sparse<PoseidonRule>(parse_shape(shape, count), leaves, tree);
      continue;
    }
    std::vector<Node> nodes;
    for (const auto& leaf : leaves) nodes.push_back(leaf.to_bytes());
    check_dense_and_sparse<Sha256Rule>(parse_shape(shape.substr(7), count), nodes, tree);
  }
}

TEST(SparseMerkleTree, EqualsTheDenseTreeWithDefaultLeaves) {
  const TreeShape shape{8, 8, 2};
  std::vector<Fr> leaves(leaf_count(shape), Fr::from_u64(5));
  leaves[3] = Fr::from_u64(7);
  leaves[127] = Fr::from_u64(9);
  const MerkleTree<PoseidonRule> dense(shape, leaves, ThreadPool::shared());
  const SparseMerkleTree<PoseidonRule> sparse(shape, Fr::from_u64(5), {{3, leaves[3]}, {127, leaves[127]}});
  EXPECT_EQ(sparse.root(), dense.root());
  EXPECT_EQ(sparse.node(1, 4), dense.node(1, 4));
  EXPECT_EQ(sparse.default_node(1), dense.node(1, 4));
}

}  // namespace
}  // namespace cuzk::filecoin
