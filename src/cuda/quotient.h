/// The quotient polynomial h = (a b - c) / Z on a device: what poly/quotient.h does, to the bit.
#pragma once

#include <functional>
#include <span>

#include "cuda/evaluation.h"
#include "cuda/ntt.h"

namespace cuzk::cuda {

/// Gives the values of a side on the domain, all of them, when they are needed: each side once, in order.
using SideValues = std::function<DeviceBuffer<Fr>(Side)>;

/// The coefficients of h as canonical integers, which is what the product with the key takes and costs nothing here.
/// Enqueues only; where the queue can be stopped it waits for all but the last transform or two (pace.h), and throws
/// Error{cancelled}. Memory: at most three buffers of the domain's size, those of the values included, beside what
/// `values_of` holds. Six transforms.
DeviceBuffer<Fr::Integer> quotient(const Queue& queue, NttDomain& domain, const SideValues& values_of);

/// The same with two buffers and a tile: what waits is parked in `parked`, pinned memory of the host of the domain's size.
/// Waits for the device, and throws Error{cancelled} when the queue is to stop.
DeviceBuffer<Fr::Integer> quotient_parked(const Queue& queue, NttDomain& domain, const SideValues& values_of,
                                          std::span<Fr> parked);

}  // namespace cuzk::cuda
