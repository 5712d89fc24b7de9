/// The label of a node in a layer.
#pragma once

#include <span>

#include "filecoin/node.h"

namespace cuzk::filecoin {

/// SHA-256(replica_id || layer, big-endian u32 || node, big-endian u64 || 20 zero bytes || 37 parents' labels), the two
/// top bits cleared. Layers count from 1. `parents`: 6 (layer 1) or 14 labels, which are repeated to 37; node 0 has
/// none.
Node label_of(const Node& replica_id, u32 layer, u64 node, std::span<const Node> parents);

}  // namespace cuzk::filecoin
