/// What lists the values that meet a query: the part of query_sums.h that is compiled for devices.
#pragma once

#include "cuda/query_sums.h"

namespace cuzk::cuda {

/// `density`: null where the query lists every auxiliary variable. `inputs` are those that it lists.
QueryValues list_values(const Queue& queue, const DeviceWitness& witness, const Density* density,
                        std::span<const u32> inputs);

}  // namespace cuzk::cuda
