/// Scalars made on the device: as many as a proof has would take the host minutes.
#pragma once

#include "cuda/device_buffer.h"
#include "cuda/queue.h"
#include "field/fr.h"

namespace cuzk::bench {

/// `count` different integers, uniform below 2^254. Copies of fewer would not do: sums of equal distances between points
/// meet again in a bucket, as those of random scalars never do.
cuda::DeviceBuffer<Fr::Integer> random_scalars(const cuda::Queue& queue, std::size_t count);

}  // namespace cuzk::bench
