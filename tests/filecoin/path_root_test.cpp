#include "filecoin/path_root.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/thread_pool.h"
#include "filecoin/check_each.h"
#include "hash/poseidon.h"

namespace cuzk::filecoin {
namespace {

using gadgets::MerklePath;

/// A tree with the given arities over leaves 0, 1, 2 ..., from which paths are taken.
class Tree {
 public:
  Tree(std::vector<std::size_t> arities, u64 first_leaf) : arities_(std::move(arities)) {
    std::size_t leaves = 1;
    for (const std::size_t arity : arities_) leaves *= arity;
    std::vector<Fr> row;
    for (u64 i = 0; i < leaves; ++i) row.push_back(Fr::from_u64(first_leaf + i));
    rows_.push_back(row);
    for (const std::size_t arity : arities_) {
      const std::vector<Fr> below = rows_.back();
      row.clear();
      for (std::size_t i = 0; i < below.size(); i += arity) row.push_back(poseidon(std::span(below).subspan(i, arity)));
      rows_.push_back(row);
    }
  }

  Fr root() const { return rows_.back().front(); }
  std::size_t leaves() const { return rows_.front().size(); }
  Fr leaf(u64 i) const { return rows_.front()[i]; }

  MerklePath path(u64 place) const {
    MerklePath path;
    for (std::size_t level = 0; level < arities_.size(); place /= arities_[level++]) {
      const std::size_t arity = arities_[level], own = place % arity, first = place - own;
      gadgets::MerkleStep step{{}, static_cast<u32>(own)};
      for (std::size_t i = 0; i < arity; ++i)
        if (i != own) step.siblings.push_back(rows_[level][first + i]);
      path.push_back(step);
    }
    return path;
  }

 private:
  std::vector<std::size_t> arities_;
  std::vector<std::vector<Fr>> rows_;
};

struct Paths {
  std::vector<MerklePath> paths;
  std::vector<PathUp> ups;

  explicit Paths(const Tree& tree) {
    for (u64 i = 0; i < tree.leaves(); ++i) paths.push_back(tree.path(i));
    for (u64 i = 0; i < tree.leaves(); ++i) ups.push_back({tree.leaf(i), i, &paths[i]});
  }
  void append(const Paths& more) { ups.insert(ups.end(), more.ups.begin(), more.ups.end()); }
};

TEST(PathRoot, EveryLeafOfATreeLeadsToItsRoot) {
  const Tree tree({8, 4, 2}, 100);
  const Paths paths(tree);
  for (u64 i = 0; i < tree.leaves(); ++i) EXPECT_EQ(leaf_of(paths.paths[i]), i);
  for (const Hashing hashing : {Hashing::together, Hashing::one_by_one})
    for (const Fr& root : poseidon_roots(paths.ups, hashing)) ASSERT_EQ(root, tree.root());
}

TEST(PathRoot, OneWrongValueChangesItsOwnRootAlone) {
  const Tree tree({8, 8}, 7);
  for (const std::size_t broken : {0u, 9u, 63u}) {
    Paths paths(tree);
    auto& siblings = paths.paths[broken][broken % 2].siblings;
    siblings[broken % 7] = siblings[broken % 7] + Fr::one();
    const auto roots = poseidon_roots(paths.ups, Hashing::together);
    EXPECT_EQ(roots, poseidon_roots(paths.ups, Hashing::one_by_one));
    for (std::size_t i = 0; i < roots.size(); ++i) EXPECT_EQ(roots[i] == tree.root(), i != broken) << i;
  }
}

TEST(PathRoot, PathsOfSeveralTreesMayMix) {
  const Tree first({8, 2}, 1), second({8, 2}, 1000);
  const Paths in_first(first), in_second(second);
  std::vector<PathUp> mixed;
  for (std::size_t i = 0; i < in_first.ups.size(); ++i) {
    mixed.push_back(in_first.ups[i]);
    mixed.push_back(in_second.ups[i]);
  }
  const auto roots = poseidon_roots(mixed, Hashing::together);
  for (std::size_t i = 0; i < roots.size(); ++i) EXPECT_EQ(roots[i], i % 2 == 0 ? first.root() : second.root());
}

TEST(PathRoot, NoPathsHaveNoRoots) {
  EXPECT_TRUE(poseidon_roots({}, Hashing::together).empty());
  EXPECT_TRUE(poseidon_hashes(8, {}, Hashing::together).empty());
}

TEST(PathRoot, PathsOfDifferentTreesAreAMistakeOfTheCaller) {
  const Tree first({8}, 1), second({4}, 1);
  Paths paths(first);
  const Paths other(second);
  paths.append(other);
  EXPECT_THROW(poseidon_roots(paths.ups, Hashing::together), Error);
}

TEST(CheckEach, ReportsTheFirstFaultWhateverTheThreadsDo) {
  ThreadPool pool(2);
  for (const std::size_t first : {0u, 17u, 99u}) {
    try {
      check_each(pool, 100, [&](std::size_t i) {
        if (i >= first) throw invalid_input("{}", i);
      });
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), std::to_string(first));
    }
  }
  std::atomic<std::size_t> checked = 0;
  check_each(pool, 100, [&](std::size_t) { ++checked; });
  EXPECT_EQ(checked, 100u);
}

}  // namespace
}  // namespace cuzk::filecoin
