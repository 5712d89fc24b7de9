#include "filecoin/path_root.h"

#include <algorithm>

#include "base/error.h"
#include "hash/poseidon.h"
#include "hash/poseidon_batch.h"

namespace cuzk::filecoin {
namespace {

using gadgets::MerklePath;
using gadgets::MerkleStep;

std::size_t arity_of(const MerkleStep& step) { return step.siblings.size() + 1; }

/// The node in its place among its siblings.
void place_among(const Fr& node, std::size_t place, std::span<const Fr> siblings, Fr* children) {
  children = std::ranges::copy(siblings.first(place), children).out;
  *children++ = node;
  std::ranges::copy(siblings.subspan(place), children);
}

/// The same level of all paths.
std::vector<Fr> level_above(std::span<const PathUp> paths, std::size_t level, std::size_t arity, u64 width,
                            std::span<const Fr> nodes) {
  std::vector<Fr> children(paths.size() * arity);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const MerkleStep& step = paths[i].path->at(level);
    if (arity_of(step) != arity)
      throw internal_error("level {} of path {} has arity {}, that of path 0 {}", level, i, arity_of(step), arity);
    place_among(nodes[i], paths[i].leaf / width % arity, step.siblings, &children[i * arity]);
  }
  return poseidon_hashes(PoseidonKind::merkle(arity), children);
}

std::vector<Fr> roots_together(std::span<const PathUp> paths) {
  std::vector<Fr> nodes;
  if (paths.empty()) return nodes;
  for (const PathUp& path : paths) nodes.push_back(path.node);
  u64 width = 1;  // leaves under a node of the level
  for (std::size_t level = 0; level < paths[0].path->size(); ++level) {
    const std::size_t arity = arity_of(paths[0].path->at(level));
    nodes = level_above(paths, level, arity, width, nodes);
    width *= arity;
  }
  return nodes;
}

Fr root_of(const PathUp& up) {
  std::array<Fr, kPoseidonMaxArity> children;
  Fr node = up.node;
  u64 place = up.leaf;
  for (const MerkleStep& step : *up.path) {
    const std::size_t arity = arity_of(step);
    place_among(node, place % arity, step.siblings, children.data());
    node = poseidon(std::span(children).first(arity));
    place /= arity;
  }
  return node;
}

}  // namespace

u64 leaf_of(const MerklePath& path) {
  u64 leaf = 0, width = 1;
  for (const MerkleStep& step : path) {
    leaf += step.index * width;
    width *= arity_of(step);
  }
  return leaf;
}

std::vector<Fr> poseidon_hashes(std::size_t arity, std::span<const Fr> inputs, Hashing hashing) {
  if (hashing == Hashing::together) return poseidon_hashes(PoseidonKind::merkle(arity), inputs);
  std::vector<Fr> hashes;
  for (; !inputs.empty(); inputs = inputs.subspan(arity)) hashes.push_back(poseidon(inputs.first(arity)));
  return hashes;
}

std::vector<Fr> poseidon_roots(std::span<const PathUp> paths, Hashing hashing) {
  if (hashing == Hashing::together) return roots_together(paths);
  std::vector<Fr> roots;
  for (const PathUp& path : paths) roots.push_back(root_of(path));
  return roots;
}

Node sha256_root(Node node, u64 leaf, std::span<const MerkleStep> path) {
  for (const MerkleStep& step : path) {
    const Node sibling = step.siblings.front().to_bytes();
    node = leaf % 2 == 0 ? sha256_node(node, sibling) : sha256_node(sibling, node);
    leaf /= 2;
  }
  return node;
}

}  // namespace cuzk::filecoin
