#include "cuda/stream.h"

#include "base/failpoint.h"
#include "cuda/error.h"

namespace cuzk::cuda {
namespace {

cudaStream_t create_stream(StreamPriority priority) {
  CUZK_FAILPOINT("cuda.stream");
  int least = 0, greatest = 0;
  check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "cudaDeviceGetStreamPriorityRange");
  cudaStream_t stream = nullptr;
  check(
      cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, priority == StreamPriority::high ? greatest : least),
      "cudaStreamCreateWithPriority");
  return stream;
}

/// A thread that waits sleeps: proofs take long, and cores are few beside the devices.
cudaEvent_t create_event(EventTiming timing) {
  CUZK_FAILPOINT("cuda.event");
  const unsigned flags = cudaEventBlockingSync | (timing == EventTiming::disabled ? cudaEventDisableTiming : 0U);
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, flags), "cudaEventCreateWithFlags");
  return event;
}

}  // namespace

Stream::Stream(StreamPriority priority) : stream_(create_stream(priority)) {}

void Stream::Destroy::operator()(cudaStream_t stream) const {
  check_or_log(cudaStreamDestroy(stream), "cudaStreamDestroy");
}

void Stream::synchronize() const {
  CUZK_FAILPOINT("cuda.synchronize");
  check(cudaStreamSynchronize(handle()), "cudaStreamSynchronize");
}

void Stream::wait(const Event& event) const {
  CUZK_FAILPOINT("cuda.event");
  check(cudaStreamWaitEvent(handle(), event.event_.get(), 0), "cudaStreamWaitEvent");
}

Event::Event(EventTiming timing) : event_(create_event(timing)) {}

void Event::Destroy::operator()(cudaEvent_t event) const { check_or_log(cudaEventDestroy(event), "cudaEventDestroy"); }

void Event::record(const Stream& stream) {
  CUZK_FAILPOINT("cuda.event");
  check(cudaEventRecord(event_.get(), stream.handle()), "cudaEventRecord");
}

bool Event::reached() const {
  CUZK_FAILPOINT("cuda.event");
  const cudaError_t status = cudaEventQuery(event_.get());
  if (status != cudaErrorNotReady) check(status, "cudaEventQuery");
  return status == cudaSuccess;
}

void Event::synchronize() const {
  CUZK_FAILPOINT("cuda.synchronize");
  check(cudaEventSynchronize(event_.get()), "cudaEventSynchronize");
}

Milliseconds elapsed(const Event& begin, const Event& end) {
  CUZK_FAILPOINT("cuda.event");
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin.event_.get(), end.event_.get()), "cudaEventElapsedTime");
  return Milliseconds(milliseconds);
}

}  // namespace cuzk::cuda
