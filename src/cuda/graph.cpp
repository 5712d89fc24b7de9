#include "cuda/graph.h"

#include "base/failpoint.h"
#include "cuda/error.h"

namespace cuzk::cuda {
namespace {

struct DestroyRecording {
  void operator()(cudaGraph_t graph) const { check_or_log(cudaGraphDestroy(graph), "cudaGraphDestroy"); }
};
using Recording = std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, DestroyRecording>;

/// A stream that records instead of running, until finish() or its end.
class Capture {
 public:
  explicit Capture(const Stream& stream) : stream_(stream.handle()) {
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
  }
  ~Capture() {
    if (!open_) return;  // otherwise an exception is under way, and an error here follows from it
    try {
      finish();
    } catch (const Error&) {
    }
  }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  Recording finish() {
    open_ = false;
    cudaGraph_t graph = nullptr;
    const cudaError_t status = cudaStreamEndCapture(stream_, &graph);
    Recording recording(graph);
    check(status, "cudaStreamEndCapture");
    return recording;
  }

 private:
  cudaStream_t stream_;
  bool open_ = true;
};

Recording record_work(const Stream& stream, const std::function<void()>& enqueue) {
  Capture capture(stream);
  enqueue();
  return capture.finish();
}

}  // namespace

Graph Graph::record(const Stream& stream, const std::function<void()>& enqueue) {
  CUZK_FAILPOINT("cuda.graph");
  const Recording recording = record_work(stream, enqueue);
  cudaGraphExec_t graph = nullptr;
  check(cudaGraphInstantiate(&graph, recording.get(), 0), "cudaGraphInstantiate");
  return Graph(graph);
}

void Graph::launch(const Stream& stream) const {
  CUZK_FAILPOINT("cuda.launch");
  check(cudaGraphLaunch(graph_.get(), stream.handle()), "cudaGraphLaunch");
}

void Graph::Destroy::operator()(cudaGraphExec_t graph) const {
  check_or_log(cudaGraphExecDestroy(graph), "cudaGraphExecDestroy");
}

}  // namespace cuzk::cuda
