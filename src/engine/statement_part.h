/// A statement of which only some partitions are proved here: the others are proved elsewhere.
#pragma once

#include <memory>

#include "engine/partition_range.h"
#include "engine/request.h"
#include "engine/statement.h"

namespace cuzk::engine {

/// The partitions of `range`, numbered from 0. Throws Error{invalid_input} where the whole has not these.
std::unique_ptr<Statement> part_of(std::unique_ptr<Statement> whole, PartitionRange range);

/// What a second request must have to be for the same partitions.
InputDigest digest(const ProofInput& input, PartitionRange range);

}  // namespace cuzk::engine
