/// What the PoRep circuit of one partition is about: plain values, taken from a decoded vanilla proof.
#pragma once

#include <array>
#include <vector>

#include "filecoin/node.h"
#include "gadgets/merkle_path.h"

namespace cuzk::filecoin {

/// A column of labels and where its hash stands in tree C.
struct PorepColumn {
  SmallArray<Fr> rows;  ///< labels of layers 1, 2, ...
  gadgets::MerklePath path;
};

/// One challenge. Vectors of parents are in the order of the graph; all columns have as many rows as there are layers.
struct PorepChallenge {
  u64 node = 0;                      ///< the challenged node
  Fr data_leaf;                      ///< of tree D
  gadgets::MerklePath data_path;     ///< in tree D: binary, SHA-256
  gadgets::MerklePath replica_path;  ///< in tree R-last
  gadgets::MerklePath column_path;   ///< in tree C, of the challenged node's column
  std::array<PorepColumn, 6> drg_parents;
  std::array<PorepColumn, 8> expander_parents;
  SmallArray<Node>
      stated_labels;  ///< of the challenged node, as the request has them. No circuit takes them: they tell
                      ///< in which layer a column is wrong. May be empty
};

struct PorepInput {
  Fr replica_id, comm_d, comm_r, comm_c, comm_r_last;
  std::vector<PorepChallenge> challenges;  ///< of this partition
};

}  // namespace cuzk::filecoin
