/// The labels of a whole sector: the slow, sequential part of sealing.
#pragma once

#include <vector>

#include "base/progress.h"
#include "base/thread_pool.h"
#include "filecoin/graph.h"
#include "filecoin/node.h"
#include "filecoin/seal_proof.h"

namespace cuzk::filecoin {

/// All labels, layer by layer, in node order: layers() * nodes() * 32 bytes. One thread labels; the others compute the
/// parents of the nodes that come next. About 2 us for each node and layer where the processor has SHA extensions.
std::vector<std::vector<Node>> label_layers(const SealProof& proof, const Node& replica_id, ThreadPool& pool,
                                            const ProgressCallback& on_progress);

}  // namespace cuzk::filecoin
