/// How soon a proof ends once it is told to.
#pragma once

#include <vector>

#include "groth16/prover.h"

namespace cuzk::apps {

/// All in ms.
struct Cancels {
  std::vector<double> proofs;     ///< that nobody can stop
  std::vector<double> stoppable;  ///< that somebody could have stopped, made in turn with those
  std::vector<double> ends;       ///< from a proof's stop to its end, the stops spread evenly over a proof's time
};

/// Makes proofs of one statement and stops `count` others. Throws Error{internal} where a stopped one ends in another way
/// than by its stop, or leaves memory of the device behind.
Cancels time_cancels(groth16::Prover& prover, const groth16::Statement& statement, unsigned count);

}  // namespace cuzk::apps
