#include "cuda/stream.h"

#include <cstring>
#include <mutex>

#include "base/error.h"
#include "base/failpoint.h"
#include "cuda/device_buffer.h"
#include "cuda/error.h"

namespace cuzk::cuda {
namespace {

cudaStream_t create_stream(StreamPriority priority) {
  CUZK_FAILPOINT("cuda.stream");
  int least = 0, greatest = 0;
  check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "cudaDeviceGetStreamPriorityRange");
  cudaStream_t stream = nullptr;
  const int steps = static_cast<int>(StreamPriority::urgent);
  const int value = least + (greatest - least) * static_cast<int>(priority) / steps;
  check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, value), "cudaStreamCreateWithPriority");
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

/// Pinned memory for the results that a thread waits for; made at the first of them.
class Stream::Mailbox {
 public:
  static constexpr std::size_t kBytes = std::size_t{1} << 19;

  void read(std::span<std::byte> to, std::span<const std::byte> from, const Stream& stream) {
    const std::lock_guard lock(mutex_);
    if (memory_.empty()) memory_ = DeviceBuffer<std::byte>(pinned_, kBytes);
    copy_bytes(memory_.span().first(to.size()), from, stream);
    stream.synchronize();
    std::memcpy(to.data(), memory_.span().data(), to.size());
  }

 private:
  std::mutex mutex_;
  PinnedMemory pinned_;
  DeviceBuffer<std::byte> memory_;
};

void Stream::DestroyMailbox::operator()(Mailbox* mailbox) const { delete mailbox; }

Stream::Stream(StreamPriority priority) : stream_(create_stream(priority)), mailbox_(new Mailbox) {}

void Stream::read(std::span<std::byte> to, std::span<const std::byte> from) const {
  if (to.size() != from.size()) throw internal_error("read: {} bytes into {} bytes", from.size(), to.size());
  if (to.empty()) return;
  if (to.size() <= Mailbox::kBytes) return mailbox_->read(to, from, *this);
  copy_bytes(to, from, *this);
  synchronize();
}

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

IdleAtEnd::~IdleAtEnd() { check_or_log(cudaStreamSynchronize(stream_.handle()), "cudaStreamSynchronize"); }

}  // namespace cuzk::cuda
