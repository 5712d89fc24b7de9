/// Makes a key in a device's memory: of the exact size and shape of a network's, for measurements and tests.
#pragma once

#include <memory>

#include "base/thread_pool.h"
#include "cuda/key.h"
#include "cuda/queue.h"
#include "groth16/setup.h"

namespace cuzk::cuda {

/// Where the points of a made key lie.
enum class KeyPlace : u8 { device, host };

/// The key that groth16::setup would write. The host evaluates the circuit's polynomials at tau, with (2^k + 3
/// variables) * 32 bytes; the device makes the points. Whoever knows the waste can prove anything: see setup.h, also for
/// what is thrown. piece_bytes: of the device's memory for the work on some points at a time.
std::shared_ptr<const CudaKey> make_key(const Queue& queue, const r1cs::Circuit& circuit,
                                        const groth16::ToxicWaste& waste, KeyPlace place, std::size_t piece_bytes,
                                        ThreadPool& pool, const groth16::Control& control);

}  // namespace cuzk::cuda
