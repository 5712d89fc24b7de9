/// Whether a proof, as callers hold it, is one of a statement.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "base/types.h"
#include "engine/statement.h"
#include "groth16/verifier.h"

namespace cuzk::engine {

/// Why `bytes`, 192 for each partition in order, prove not what the statement says: they are no points, too many or too
/// few, or do not hold, and in which partition. Nothing where they do; all partitions are verified in one batch.
std::optional<std::string> proof_fault(const Statement& statement, const groth16::Verifier& verifier,
                                       std::span<const u8> bytes);

}  // namespace cuzk::engine
