/// Merkle trees that a prover builds: dense, with every node in memory, and sparse, where all but a few leaves have one
/// default value.
///
/// A tree's shape is the number of children of the nodes of each level, from the leaves up: {2, 2, ...} for tree D,
/// {8, ..., 8}, {8, ..., 8, 2} or {8, ..., 8, 8, 2} for trees C and R (base trees joined by a sub and a top tree).
/// Leaves are not hashed.
#pragma once

#include <algorithm>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/thread_pool.h"
#include "field/fr.h"
#include "filecoin/node.h"
#include "hash/poseidon.h"
#include "hash/poseidon_batch.h"
#include "hash/sha256_batch.h"

namespace cuzk::filecoin {

using TreeShape = std::vector<u32>;

/// Product of all levels: the number of leaves.
inline u64 leaf_count(const TreeShape& shape) {
  u64 count = 1;
  for (const u32 arity : shape) count *= arity;
  return count;
}

/// How nodes are made of their children. hash_all: parents[i] of children i * arity to (i + 1) * arity.

/// Tree D.
struct Sha256Rule {
  using Value = Node;
  static Node hash(std::span<const Node> children) { return sha256_node(children[0], children[1]); }
  static void hash_all(u32, std::span<const Node> children, std::span<Node> parents) {
    sha256_nodes(children, parents);
  }
};

/// Trees C and R.
struct PoseidonRule {
  using Value = Fr;
  static Fr hash(std::span<const Fr> children) { return poseidon(children); }
  static void hash_all(u32 arity, std::span<const Fr> children, std::span<Fr> parents) {
    poseidon_hashes(PoseidonKind::merkle(arity), children, parents);
  }
};

template <class Rule>
class MerkleTree {
 public:
  using Value = typename Rule::Value;

  /// leaves.size() must be leaf_count(shape).
  MerkleTree(TreeShape shape, std::vector<Value> leaves, ThreadPool& pool) : shape_(std::move(shape)) {
    levels_.push_back(std::move(leaves));
    for (const u32 arity : shape_) levels_.push_back(parents(levels_.back(), arity, pool));
  }

  const TreeShape& shape() const { return shape_; }
  const Value& root() const { return levels_.back().front(); }
  const Value& node(std::size_t level, u64 index) const { return levels_[level][index]; }
  std::span<const Value> level(std::size_t level) const { return levels_[level]; }

 private:
  static std::vector<Value> parents(std::span<const Value> children, u32 arity, ThreadPool& pool) {
    std::vector<Value> result(children.size() / arity);
    pool.parallel_for(0, result.size(), 64, [&](std::size_t begin, std::size_t end) {
      const std::size_t count = end - begin;
      Rule::hash_all(arity, children.subspan(begin * arity, count * arity), std::span(result).subspan(begin, count));
    });
    return result;
  }

  TreeShape shape_;
  std::vector<std::vector<Value>> levels_;
};

template <class Rule>
class SparseMerkleTree {
 public:
  using Value = typename Rule::Value;

  SparseMerkleTree(TreeShape shape, const Value& default_leaf, std::unordered_map<u64, Value> leaves,
                   ThreadPool& pool = ThreadPool::shared())
      : shape_(std::move(shape)), defaults_{default_leaf} {
    levels_.push_back(std::move(leaves));
    for (std::size_t level = 0; level < shape_.size(); ++level) {
      defaults_.push_back(Rule::hash(std::vector<Value>(shape_[level], defaults_[level])));
      levels_.push_back(parents(level, pool));
    }
  }

  const TreeShape& shape() const { return shape_; }
  const Value& root() const { return node(shape_.size(), 0); }
  /// Hash of a subtree of this height in which no leaf was set.
  const Value& default_node(std::size_t level) const { return defaults_[level]; }
  const Value& node(std::size_t level, u64 index) const {
    const auto found = levels_[level].find(index);
    return found == levels_[level].end() ? defaults_[level] : found->second;
  }

 private:
  std::unordered_map<u64, Value> parents(std::size_t level, ThreadPool& pool) const {
    const std::vector<u64> indices = parents_of_set_nodes(level);
    std::vector<Value> values(indices.size());
    pool.parallel_for(0, indices.size(), 16, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) values[i] = Rule::hash(children_of(level, indices[i]));
    });
    std::unordered_map<u64, Value> result;
    result.reserve(indices.size());
    for (std::size_t i = 0; i < indices.size(); ++i) result.emplace(indices[i], values[i]);
    return result;
  }

  std::vector<u64> parents_of_set_nodes(std::size_t level) const {
    std::vector<u64> indices;
    for (const auto& [index, value] : levels_[level]) indices.push_back(index / shape_[level]);
    std::ranges::sort(indices);
    indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
    return indices;
  }

  std::vector<Value> children_of(std::size_t level, u64 parent) const {
    std::vector<Value> children;
    for (u32 i = 0; i < shape_[level]; ++i) children.push_back(node(level, parent * shape_[level] + i));
    return children;
  }

  TreeShape shape_;
  std::vector<Value> defaults_;
  std::vector<std::unordered_map<u64, Value>> levels_;
};

/// One level of a path: the siblings in order, and the place of the path's own node among them.
template <class Value>
struct PathLevel {
  std::vector<Value> siblings;
  u32 index;
};

/// The path of a leaf, from the leaf up; Tree is one of the two above.
template <class Tree>
std::vector<PathLevel<typename Tree::Value>> path_of(const Tree& tree, u64 leaf) {
  std::vector<PathLevel<typename Tree::Value>> path;
  u64 index = leaf;
  for (std::size_t level = 0; level < tree.shape().size(); ++level) {
    const u32 arity = tree.shape()[level];
    const u32 place = static_cast<u32>(index % arity);
    PathLevel<typename Tree::Value> step{{}, place};
    for (u32 i = 0; i < arity; ++i)
      if (i != place) step.siblings.push_back(tree.node(level, index - place + i));
    path.push_back(std::move(step));
    index /= arity;
  }
  return path;
}

}  // namespace cuzk::filecoin
