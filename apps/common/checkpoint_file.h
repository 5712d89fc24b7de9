/// Files of checkpoints of a circuit: {"checkpoint_every": N, "rows": [[constraints, inputs, aux, digest, path], ...]}.
#pragma once

#include <string>
#include <vector>

#include "r1cs/circuit.h"

namespace cuzk::apps {

struct CheckpointFile {
  u64 every = 1;  ///< constraints from row to row; at least 1
  std::vector<r1cs::Checkpoint> rows;
};

/// Throws Error naming the file: not_found; invalid_input for what is no such file.
CheckpointFile read_checkpoints(const std::string& path);

}  // namespace cuzk::apps
