#include "cuda/pace.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "cuda/msm.h"
#include "cuda/point_progression.h"
#include "support/gpu_queue.h"
#include "support/random_points.h"

namespace cuzk::cuda {
namespace {

class PaceTest : public testing::Test {
 protected:
  Queue stoppable() const { return {gpu_.queue().device, gpu_.queue().stream, gpu_.queue().memory, stop_.get_token()}; }

  std::stop_source stop_;
  test::GpuQueue gpu_{std::size_t{8} << 30};
};

TEST_F(PaceTest, StopsWhereItIsToldTo) {
  const Queue queue = stoppable();
  Pace pace(queue, 10);
  EXPECT_NO_THROW(pace.enqueued(100));
  stop_.request_stop();
  EXPECT_THROW(pace.enqueued(1), Error);
  EXPECT_NO_THROW(Pace(gpu_.queue(), 10).enqueued(100)) << "nobody can stop this one";
}

TEST_F(PaceTest, TheHostIsOnePieceAhead) {
  const Queue queue = stoppable();
  DeviceBuffer<u8> memory(queue.memory, std::size_t{4} << 30);
  Pace pace(queue, 1);
  Event first;
  for (int i = 0; i < 20; ++i) memory.fill_zero(queue.stream);  // some 20 ms
  first.record(queue.stream);
  pace.enqueued(1);
  EXPECT_FALSE(first.reached());
  memory.fill_zero(queue.stream);
  pace.enqueued(1);
  EXPECT_TRUE(first.reached());
  queue.stream.synchronize();
}

/// Whenever the stop comes, the product is right or it is stopped, and it leaves nothing behind.
TEST_F(PaceTest, AProductThatIsStoppedLeavesNothingBehind) {
  constexpr std::size_t kSize = std::size_t{1} << 23;
  test::Random random(5);
  const auto step = test::random_point<G1Affine>(random);
  const auto points = point_progression<G1Curve>(gpu_.queue(), step, step, kSize);
  const auto scalars = gpu_.upload(test::random_fields<Fr>(kSize, random));
  const auto multiply = [&](const Queue& queue) {
    const IdleAtEnd idle(queue.stream);
    return multi_scalar_mul_tuned<G1Curve>(queue, points.span().first(kSize), scalars.span(), {16, 2});
  };
  const G1 expected = multiply(gpu_.queue());
  const std::size_t before = gpu_.usage().in_use;
  int stopped = 0;
  for (int milliseconds = 0; milliseconds < 40; milliseconds += 4) {
    stop_ = std::stop_source();
    const std::jthread stopper([&, milliseconds, stop = stop_]() mutable {
      std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
      stop.request_stop();
    });
    try {
      EXPECT_EQ(multiply(stoppable()), expected);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::cancelled) << error.what();
      ++stopped;
    }
    EXPECT_EQ(gpu_.usage().in_use, before);
  }
  EXPECT_GT(stopped, 0);
  EXPECT_EQ(multiply(gpu_.queue()), expected);
}

}  // namespace
}  // namespace cuzk::cuda
