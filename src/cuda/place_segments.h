/// Puts the packed segments of a witness at the places of their variables: the part of witness.h that is compiled for
/// devices.
#pragma once

#include <span>

#include "cuda/queue.h"
#include "cuda/witness.h"
#include "r1cs/witness.h"

namespace cuzk::cuda {

/// Segments and packed bits are the device's, as is everything here; ones and is_element have a word for 64 auxiliary
/// variables, and get 0 where there is no variable. Enqueues only.
void place_segments(const Queue& queue, std::span<const r1cs::Segment> segments, std::span<const u64> bits,
                    std::span<u64> ones, std::span<u64> is_element);

/// Puts the elements of a witness that is not plain among those of its hashes: `given` to the places where the view has them
/// in `elements`. words: of view.is_element. Enqueues only.
void place_elements(const Queue& queue, std::span<const r1cs::Segment> segments, std::span<const Fr> given,
                    const WitnessView& view, std::size_t words, Fr* elements);

}  // namespace cuzk::cuda
