#include "filecoin/circuits/porep_labels.h"

#include "filecoin/labels.h"

namespace cuzk::filecoin {

std::vector<Fr> challenge_labels(const Node& replica_id, const PorepChallenge& challenge) {
  std::vector<Fr> labels;
  const std::size_t layers = challenge.drg_parents[0].rows.size();
  for (std::size_t layer = 0; layer < layers; ++layer) {
    std::vector<Node> parents;
    for (const PorepColumn& column : challenge.drg_parents) parents.push_back(column.rows[layer].to_bytes());
    if (layer > 0)
      for (const PorepColumn& column : challenge.expander_parents) parents.push_back(column.rows[layer - 1].to_bytes());
    const Node label = label_of(replica_id, static_cast<u32>(layer + 1), challenge.node, parents);
    labels.push_back(*Fr::from_bytes(label));  // its top bits are cleared
  }
  return labels;
}

}  // namespace cuzk::filecoin
