/// The stacked graph of a sector: of which nodes' labels a node's label is made.
///
/// A depth-robust graph gives 6 parents in the same layer (Alwen, Blocki, Harsha, "Practical Graphs for Optimal
/// Side-Channel Resistant Memory-Hard Functions", 2017: DRSample), an expander 8 in the layer before (a Feistel
/// permutation of the edges). Both are random by the porep id, without a table.
#pragma once

#include <array>
#include <vector>

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

  /// The same graph for one who asks for many nodes: its Feistel rounds stand in a table, of the square root of the number
  /// of edges (200 KB for 512 MiB), instead of a hash each.
  StackedGraph tabulated() const;

  /// In the order in which labels take them. The predecessor is first; in API 1.0 last. Nodes 0 and 1 have six times 0.
  DrgParents drg_parents(u64 node) const;
  ExpanderParents expander_parents(u64 node) const;

 private:
  u64 permute(u64 edge) const;
  u64 feistel(u64 value) const;
  u64 round(std::size_t number, u64 right) const;

  u64 nodes_;
  ApiVersion version_;
  std::array<u8, 28> drg_seed_;
  std::array<u64, 3> feistel_keys_;
  unsigned half_bits_;       // of a value of the Feistel network
  std::vector<u32> rounds_;  // round(number, right) at number << half_bits_ | right; empty: not tabulated
};

}  // namespace cuzk::filecoin
