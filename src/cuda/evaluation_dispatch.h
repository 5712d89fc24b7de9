/// What evaluation enqueues: the part of evaluation.h that is compiled for devices.
#pragma once

#include "cuda/circuit_tables.h"
#include "cuda/queue.h"
#include "cuda/witness.h"

namespace cuzk::cuda {

/// Shared memory of a block that evaluates templates of so many variables, in bytes.
std::size_t evaluation_shared_memory(u32 most_locals);

/// Where the rows of A, B and C go; null: they are not wanted.
struct SidesOut {
  Fr *a, *b, *c;
};

/// The rows of all instances. Enqueues only.
void evaluate_instances(const Queue& queue, const CircuitTables& circuit, const WitnessView& witness,
                        const SidesOut& out);

}  // namespace cuzk::cuda
