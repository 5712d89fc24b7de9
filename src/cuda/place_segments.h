/// Puts the packed segments of a witness at the places of their variables: the part of witness.h that is compiled for
/// devices.
#pragma once

#include <span>

#include "cuda/queue.h"
#include "r1cs/witness.h"

namespace cuzk::cuda {

/// Segments and packed bits are the device's, as is everything here; ones and is_element have a word for 64 auxiliary
/// variables, and get 0 where there is no variable. Enqueues only.
void place_segments(const Queue& queue, std::span<const r1cs::Segment> segments, std::span<const u64> bits,
                    std::span<u64> ones, std::span<u64> is_element);

}  // namespace cuzk::cuda
