/// Merkle trees whose leaves are equal within large blocks: of any size, with every node at hand, for the cost of some
/// hashes a block.
#pragma once

#include <algorithm>

#include "filecoin/sealing/merkle_tree.h"

namespace cuzk::filecoin {

template <class Rule>
class BlockMerkleTree {
 public:
  using Value = typename Rule::Value;

  /// blocks[b] is the leaf of all nodes of part b; their number must be a power of two, at most leaf_count(shape), and
  /// the arities must be powers of two.
  BlockMerkleTree(TreeShape shape, std::vector<Value> blocks, ThreadPool& pool) : shape_(std::move(shape)) {
    levels_.push_back({leaf_count(shape_) / blocks.size(), std::move(blocks)});
    for (std::size_t level = 0; level < shape_.size(); ++level) levels_.push_back(parents(level, pool));
  }

  const TreeShape& shape() const { return shape_; }
  const Value& root() const { return levels_.back().values.front(); }
  const Value& node(std::size_t level, u64 index) const { return levels_[level].values[index / levels_[level].repeat]; }

 private:
  /// Node i is values[i / repeat].
  struct Level {
    u64 repeat;
    std::vector<Value> values;
  };

  Level parents(std::size_t level, ThreadPool& pool) const {
    const u32 arity = shape_[level];
    const Level& below = levels_[level];
    const u64 repeat = std::max<u64>(1, below.repeat / arity);
    std::vector<Value> values(below.values.size() * below.repeat / arity / repeat);
    pool.parallel_for(0, values.size(), 16, [&](std::size_t begin, std::size_t end) {
      std::vector<Value> children(arity);
      for (std::size_t i = begin; i < end; ++i) {
        for (u32 child = 0; child < arity; ++child) children[child] = node(level, i * repeat * arity + child);
        values[i] = Rule::hash(children);
      }
    });
    return {repeat, std::move(values)};
  }

  TreeShape shape_;
  std::vector<Level> levels_;
};

}  // namespace cuzk::filecoin
