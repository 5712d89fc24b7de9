/// What the expansion of hashes enqueues: the part of hash_expansion.h that is compiled for devices.
#pragma once

#include <span>

#include "cuda/queue.h"
#include "cuda/witness.h"
#include "r1cs/witness.h"

namespace cuzk::cuda {

/// A state has at most so many elements, one for each thread that works on it.
inline constexpr u32 kHashThreads = 16;

/// The constants of one form of hash (hash/poseidon_constants.h), one array after the other in a device's memory.
struct HashTable {
  u32 width, partial_rounds;
  Fr tag;
  const Fr* keys;        ///< as PoseidonConstants::compressed
  const Fr* mds;         ///< row after row
  const Fr* pre_sparse;  ///< the same
  const Fr* sparse;      ///< for each partial round the column, then the row
};

/// Writes the values of the listed segments, all of them hashes of the table's form, where the view has them in `elements`.
/// All memory is the device's. Enqueues only.
void expand_hashes(const Queue& queue, const HashTable& table, std::span<const r1cs::Segment> segments,
                   std::span<const u32> listed, std::span<const Fr> hash_inputs, const WitnessView& view, Fr* elements);

}  // namespace cuzk::cuda
