#include <gtest/gtest.h>

#include <latch>

#include "cuda/device_buffer.h"
#include "cuda/error.h"
#include "cuda/graph.h"
#include "cuda/stream.h"

namespace cuzk::cuda {
namespace {

__global__ void add_one(u64* value) { ++*value; }

/// Holds its stream up for about `cycles` of the device's clock, then writes.
__global__ void store_late(u64* value, u64 stored, i64 cycles) {
  const i64 begin = clock64();
  while (clock64() - begin < cycles) {
  }
  *value = stored;
}

constexpr i64 kLate = 20'000'000;  // some ten milliseconds

/// Holds a stream up until the host opens the gate.
void wait_at(void* gate) { static_cast<std::latch*>(gate)->wait(); }

class Streams : public testing::Test {
 protected:
  Streams() {
    value_.fill_zero(stream_);
    stream_.synchronize();
  }

  void store_late_on(const Stream& stream, u64 stored) {
    store_late<<<1, 1, 0, stream.handle()>>>(value_.data(), stored, kLate);
    check_launch("store_late");
  }

  void add_one_on(const Stream& stream) {
    add_one<<<1, 1, 0, stream.handle()>>>(value_.data());
    check_launch("add_one");
  }

  u64 value() const { return value_.to_host(stream_).front(); }

  CudaMalloc memory_{0};
  Stream stream_;
  DeviceBuffer<u64> value_{memory_, 1};
};

TEST_F(Streams, WaitForEachOthersEvents) {
  const Stream other;
  Event stored;
  store_late_on(other, 41);
  stored.record(other);
  stream_.wait(stored);
  add_one_on(stream_);
  EXPECT_EQ(value(), 42U);
}

TEST_F(Streams, AnEventIsReachedWhenTheWorkBeforeItIsDone) {
  std::latch gate(1);
  Event done;
  EXPECT_TRUE(done.reached()) << "nothing recorded";
  check(cudaLaunchHostFunc(stream_.handle(), wait_at, &gate), "cudaLaunchHostFunc");
  done.record(stream_);
  EXPECT_FALSE(done.reached());
  gate.count_down();
  done.synchronize();
  EXPECT_TRUE(done.reached());
}

TEST_F(Streams, TimingEventsTellTheDevicesTime) {
  Event begin(EventTiming::enabled), end(EventTiming::enabled);
  begin.record(stream_);
  store_late_on(stream_, 1);
  end.record(stream_);
  end.synchronize();
  EXPECT_GT(elapsed(begin, end).count(), 0.0F);
}

TEST_F(Streams, MoveWithTheirWork) {
  Stream first;
  store_late_on(first, 9);
  const Stream second = std::move(first);
  second.synchronize();
  EXPECT_EQ(value(), 9U);
}

TEST_F(Streams, AGraphRunsAsOftenAsItIsLaunched) {
  const auto graph = Graph::record(stream_, [this] {
    add_one_on(stream_);
    add_one_on(stream_);
  });
  EXPECT_EQ(value(), 0U) << "recording runs nothing";
  for (int i = 0; i < 3; ++i) graph.launch(stream_);
  EXPECT_EQ(value(), 6U);
}

TEST_F(Streams, ARecordingThatFailsLeavesAUsableStream) {
  EXPECT_THROW(Graph::record(stream_,
                             [this] {
                               add_one_on(stream_);
                               throw internal_error("made to fail");
                             }),
               Error);
  add_one_on(stream_);
  EXPECT_EQ(value(), 1U);
}

}  // namespace
}  // namespace cuzk::cuda
