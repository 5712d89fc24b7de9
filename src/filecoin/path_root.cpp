#include "filecoin/path_root.h"

#include <array>

#include "hash/poseidon.h"

namespace cuzk::filecoin {

u64 leaf_of(const gadgets::MerklePath& path) {
  u64 leaf = 0, width = 1;
  for (const auto& step : path) {
    leaf += step.index * width;
    width *= step.siblings.size() + 1;
  }
  return leaf;
}

Fr poseidon_root(Fr node, const gadgets::MerklePath& path) {
  std::array<Fr, kPoseidonMaxArity> children;
  for (const auto& step : path) {
    const std::size_t arity = step.siblings.size() + 1;
    for (std::size_t i = 0, next = 0; i < arity; ++i) children[i] = i == step.index ? node : step.siblings[next++];
    node = poseidon(std::span(children).first(arity));
  }
  return node;
}

Node sha256_root(Node node, const gadgets::MerklePath& path) {
  for (const auto& step : path) {
    const Node sibling = step.siblings.front().to_bytes();
    node = step.index == 0 ? sha256_node(node, sibling) : sha256_node(sibling, node);
  }
  return node;
}

}  // namespace cuzk::filecoin
