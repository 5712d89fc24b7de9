/// Streams and events of the device that is current when they are made (cuda/device.h). Each owns CUDA's object, moves
/// and does not copy; one that was moved from may only be destroyed or assigned to.
///
/// Nothing waits unless it says so: synchronize() and read() are the only calls here that hold the calling thread up.
#pragma once

#include <cuda_runtime_api.h>

#include <chrono>
#include <memory>
#include <span>
#include <type_traits>

namespace cuzk::cuda {

class Event;

/// Of two streams the blocks of the higher one start first wherever a multiprocessor has room.
enum class StreamPriority { low, normal, high, urgent };

/// A queue of work that the device does in order. It does not order itself against the default stream. Any thread may
/// enqueue; what two threads enqueue is in the order of their calls.
class Stream {
 public:
  explicit Stream(StreamPriority priority = StreamPriority::normal);

  cudaStream_t handle() const { return stream_.get(); }  ///< for launches: kernel<<<grid, block, 0, stream.handle()>>>

  /// Holds the calling thread until all work enqueued so far is done; throws Error when it failed (error.h: an error of a
  /// kernel surfaces here). Failpoint "cuda.synchronize".
  void synchronize() const;

  /// Lets work enqueued from now on wait, on the device, for what the event recorded last. An event that has not
  /// recorded anything holds nothing up.
  void wait(const Event& event) const;

  /// Copies from the device's memory when all work enqueued so far is done, and waits for it. Any thread; both have the
  /// same size, else Error{internal}. Up to 512 KiB go through pinned memory, taken at the first call: CUDA holds other
  /// threads' calls up while it copies to any other. Failpoints "cuda.memcpy", "cuda.synchronize", "cuda.pin".
  void read(std::span<std::byte> to, std::span<const std::byte> from) const;

 private:
  class Mailbox;
  struct Destroy {
    void operator()(cudaStream_t stream) const;
  };
  struct DestroyMailbox {
    void operator()(Mailbox* mailbox) const;
  };
  std::unique_ptr<std::remove_pointer_t<cudaStream_t>, Destroy> stream_;
  std::unique_ptr<Mailbox, DestroyMailbox> mailbox_;
};

enum class EventTiming {
  disabled,  ///< cheaper; for order only
  enabled,   ///< elapsed() may be asked
};

using Milliseconds = std::chrono::duration<float, std::milli>;

/// A point in a stream's work that a stream or a thread can wait for.
class Event {
 public:
  explicit Event(EventTiming timing = EventTiming::disabled);

  void record(const Stream& stream);  ///< the point after all work enqueued so far; an earlier point is forgotten

  bool reached() const;      ///< also when nothing was recorded; throws as synchronize() does
  void synchronize() const;  ///< holds the calling thread until the point is reached. Failpoint "cuda.synchronize"

  /// The device's time between two timing events, both reached; resolution about half a microsecond.
  friend Milliseconds elapsed(const Event& begin, const Event& end);

 private:
  friend class Stream;
  struct Destroy {
    void operator()(cudaEvent_t event) const;
  };
  std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, Destroy> event_;
};

Milliseconds elapsed(const Event& begin, const Event& end);

/// Waits, also when an exception leaves work under way: whoever comes next takes the memory that it uses.
class IdleAtEnd {
 public:
  explicit IdleAtEnd(const Stream& stream) : stream_(stream) {}
  ~IdleAtEnd();
  IdleAtEnd(const IdleAtEnd&) = delete;
  IdleAtEnd& operator=(const IdleAtEnd&) = delete;

 private:
  const Stream& stream_;
};

}  // namespace cuzk::cuda
