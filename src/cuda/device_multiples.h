/// The points of a key made by a device, for the host: two hundred times as fast as a core.
#pragma once

#include <memory>

#include "groth16/generator_multiples.h"

namespace cuzk::cuda {

/// Reserves up to `memory` bytes of the device (nine tenths of what is free, if that is less), and 600 MB of pinned memory
/// at most. Throws Error{not_found} when there is no such device, resource_exhausted.
std::unique_ptr<groth16::GeneratorMultiples> device_multiples(int device, std::size_t memory = std::size_t{8} << 30);

}  // namespace cuzk::cuda
