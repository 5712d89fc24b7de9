/// What CUDA answers, as the one error type.
///
/// Every call of CUDA stands in a wrapper of this room that passes a failpoint before it ("cuda.malloc", "cuda.memcpy",
/// "cuda.launch", "cuda.synchronize", "cuda.stream", "cuda.event", "cuda.graph", "cuda.device", "cuda.pin"), so that a
/// test can make it fail; in a release the failpoints are not there.
#pragma once

#include <cuda_runtime_api.h>

#include <string_view>

#include "base/error.h"

namespace cuzk::cuda {

/// The code that callers decide by. device_lost: the context is broken (illegal address, failed launch, ECC, a card that
/// fell off the bus ...), every later call on that device in this process fails too, and the work goes elsewhere.
/// resource_exhausted: memory of the device, or pinned memory of the host. All others are faults of ours: internal.
Code code_of(cudaError_t status);

/// Throws Error{code_of(status)} naming the call, CUDA's name of the status and its text, unless it is cudaSuccess. An
/// error of an earlier asynchronous call may surface here. The runtime's memory of the error is cleared, so that a
/// failure that was survived does not show again at the next check_launch().
void check(cudaError_t status, std::string_view call);

/// For destructors: logs what check() would throw.
void check_or_log(cudaError_t status, std::string_view call) noexcept;

/// Stands after each launch; throws when the launch was refused. What goes wrong while the kernel runs surfaces at a
/// later call. Failpoint "cuda.launch".
void check_launch(std::string_view kernel);

}  // namespace cuzk::cuda
