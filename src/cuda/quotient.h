/// The quotient polynomial h = (a b - c) / Z on a device: what poly/quotient.h does, to the bit.
#pragma once

#include "cuda/ntt.h"

namespace cuzk::cuda {

/// The coefficients of h as canonical integers, which is what the product with the key takes and costs nothing here;
/// a, b, c hold the values on the domain, all of them, and are used up. Enqueues only. Memory:
/// a fourth buffer of their size. Six transforms.
DeviceBuffer<Fr::Integer> quotient(const Queue& queue, NttDomain& domain, DeviceBuffer<Fr> a, DeviceBuffer<Fr> b,
                                   DeviceBuffer<Fr> c);

}  // namespace cuzk::cuda
