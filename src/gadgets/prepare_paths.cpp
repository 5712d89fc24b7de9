#include "gadgets/prepare_paths.h"

#include "gadgets/poseidon.h"

namespace cuzk::gadgets {

namespace {

void append_children(std::vector<Fr>& children, const Fr& node, const MerkleStep& step) {
  const std::size_t index = step.index % (step.siblings.size() + 1);
  const auto siblings = std::span(step.siblings);
  children.insert(children.end(), siblings.begin(), siblings.begin() + static_cast<std::ptrdiff_t>(index));
  children.push_back(node);
  children.insert(children.end(), siblings.begin() + static_cast<std::ptrdiff_t>(index), siblings.end());
}

}  // namespace

void prepare_paths(WitnessBuilder& builder, std::span<const PreparedPath> paths) {
  if (paths.empty()) return;
  std::vector<Fr> nodes, children;
  std::vector<std::size_t> places;
  for (const PreparedPath& path : paths) nodes.push_back(path.leaf);
  const MerklePath& shape = *paths[0].path;
  for (std::size_t level = 0; level < shape.size(); ++level) {
    children.clear();
    places.clear();
    for (std::size_t i = 0; i < paths.size(); ++i) {
      append_children(children, nodes[i], paths[i].path->at(level));
      places.push_back(paths[i].place + level);
    }
    nodes = prepare_poseidon(builder, PoseidonTag::merkle, shape[level].siblings.size() + 1, children, places);
  }
}

}  // namespace cuzk::gadgets
