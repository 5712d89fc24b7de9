/// Work of a stream recorded once and started as one: a launch then costs the host microseconds for all kernels
/// together, which counts where they are short.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <memory>
#include <type_traits>

#include "cuda/stream.h"

namespace cuzk::cuda {

class Graph {
 public:
  /// Calls `enqueue` and records what it enqueues on the stream, and on streams that it lets wait for the stream's
  /// events; nothing runs. Addresses and sizes are recorded as they are: buffers must be at the same place whenever the
  /// graph is launched. `enqueue` may not wait for the device and not make streams, nor take memory from CudaMalloc; an
  /// Arena may be asked. Throws what `enqueue` throws, and Error. Failpoint "cuda.graph".
  static Graph record(const Stream& stream, const std::function<void()>& enqueue);

  /// Enqueues the work recorded. A graph that still runs is waited for, on the device. Failpoint "cuda.launch".
  void launch(const Stream& stream) const;

 private:
  struct Destroy {
    void operator()(cudaGraphExec_t graph) const;
  };

  explicit Graph(cudaGraphExec_t graph) : graph_(graph) {}

  std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, Destroy> graph_;
};

}  // namespace cuzk::cuda
