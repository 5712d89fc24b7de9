/// The labels of a challenged node, computed natively.
#pragma once

#include "filecoin/circuits/porep_input.h"
#include "filecoin/node.h"

namespace cuzk::filecoin {

/// Layer after layer, from the labels of the node's parents. All columns must have the same number of rows.
std::vector<Fr> challenge_labels(const Node& replica_id, const PorepChallenge& challenge);

}  // namespace cuzk::filecoin
