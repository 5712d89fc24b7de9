/// Writes out the hashes of a witness on a device: what r1cs/expansion.h does, to the bit, so that only a hash's inputs
/// cross the bus, 9 values for 505.
#pragma once

#include "cuda/queue.h"
#include "cuda/staging.h"
#include "cuda/witness.h"
#include "r1cs/witness.h"

namespace cuzk::cuda {

/// Writes the field elements of a witness that is not plain where its view says: those that are given, and the values of
/// each hash. segments: the witness's, on the device. elements: the memory that view.elements reads. The staging serves the
/// queue's stream. The host's memory has been read when it returns; the rest is enqueued. Throws Error{resource_exhausted}, and
/// Error{internal} for a hash of more than 15 inputs, which no circuit has.
void write_elements(const Queue& queue, Staging& staging, const r1cs::Witness& witness,
                    std::span<const r1cs::Segment> segments, const WitnessView& view, std::span<Fr> elements);

}  // namespace cuzk::cuda
