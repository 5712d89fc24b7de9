/// The stacked graph of a sector: of which nodes' labels a node's label is made.
///
/// A depth-robust graph gives 6 parents in the same layer (Alwen, Blocki, Harsha, "Practical Graphs for Optimal
/// Side-Channel Resistant Memory-Hard Functions", 2017: DRSample), an expander 8 in the layer before (a Feistel
/// permutation of the edges). Both are random by the porep id, without a table.
#pragma once

#include <array>

#include "filecoin/node.h"
#include "filecoin/seal_proof.h"

namespace cuzk::filecoin {

using DrgParents = std::array<u64, kDrgParents>;
using ExpanderParents = std::array<u64, kExpanderParents>;

/// Immutable; any number of threads may ask.
class StackedGraph {
 public:
  explicit StackedGraph(const SealProof& proof) : StackedGraph(*proof.shape, proof.porep_id(), proof.api_version()) {}
  StackedGraph(const SectorShape& shape, const Node& porep_id, ApiVersion version);

  /// In the order in which labels take them. The predecessor is first; in API 1.0 last. Nodes 0 and 1 have six times 0.
  DrgParents drg_parents(u64 node) const;
  ExpanderParents expander_parents(u64 node) const;

 private:
  u64 permute(u64 edge) const;
  u64 feistel(u64 value) const;

  u64 nodes_;
  ApiVersion version_;
  std::array<u8, 28> drg_seed_;
  std::array<u64, 3> feistel_keys_;
  unsigned half_bits_;  // of a value of the Feistel network
};

}  // namespace cuzk::filecoin
