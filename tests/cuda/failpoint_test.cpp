// Every call of CUDA can be made to fail, and then nothing leaks.
#ifdef CUZK_FAILPOINTS
#include "base/failpoint.h"

#include <gtest/gtest.h>

#include "cuda/arena.h"
#include "cuda/device.h"
#include "cuda/device_buffer.h"
#include "cuda/graph.h"
#include "cuda/msm.h"
#include "cuda/pinned_pool.h"
#include "cuda/point_progression.h"
#include "cuda/prover.h"
#include "cuda/statistics_resource.h"
#include "groth16/known_statement.h"
#include "support/fail_each_pass.h"
#include "support/gpu_queue.h"
#include "support/random_points.h"

namespace cuzk::cuda {
namespace {

/// Passes every wrapper of the room at least once.
void use_everything(MemoryResource& device_memory, MemoryResource& host_memory) {
  const DeviceGuard guard(0);
  Arena arena(device_memory, std::size_t{1} << 20);
  PinnedPool pool(host_memory, 4096, 1);
  const auto lease = pool.acquire();
  const Stream stream;
  Event begin(EventTiming::enabled), end(EventTiming::enabled);
  DeviceBuffer<u8> buffer(arena, 4096);
  begin.record(stream);
  buffer.copy_from(lease.items<u8>(), stream);
  Graph::record(stream, [&] { buffer.fill_zero(stream); }).launch(stream);
  end.record(stream);
  stream.wait(end);
  end.synchronize();
  elapsed(begin, end);
  EXPECT_EQ(buffer.to_host(stream).size(), 4096U);
}

TEST(CudaFailpoints, EveryCallThatFailsLeavesNothingBehind) {
  CudaMalloc device(0);
  PinnedMemory pinned;
  for (const char* place : {"cuda.malloc", "cuda.pin", "cuda.device", "cuda.stream", "cuda.event", "cuda.memcpy",
                            "cuda.graph", "cuda.launch", "cuda.synchronize"}) {
    StatisticsResource device_memory(device), host_memory(pinned);
    const unsigned failures = test::fail_each_pass(
        place, Code::device_lost, [&] { use_everything(device_memory, host_memory); },
        [&] {
          EXPECT_EQ(device_memory.statistics().bytes, 0U) << place;
          EXPECT_EQ(host_memory.statistics().bytes, 0U) << place;
        });
    EXPECT_GE(failures, 1U) << place;
  }
}

TEST(CudaFailpoints, AProofThatFailsLeavesNothingBehind) {
  CudaProver prover({.device = 0, .memory = std::size_t{2} << 30}, ThreadPool::shared());
  const groth16::KnownStatement known = groth16::known_statement();
  const auto key = prover.make_key(known.circuit, known.waste, {});
  const auto prove = [&] { groth16::prove_verified(prover, {*key, known.circuit, known.witness}, {}); };
  prove();  // brings what stays: the circuit's tables
  const std::size_t before = prover.memory_usage().in_use;
  for (const char* place : {"cuda.device", "cuda.event", "cuda.memcpy", "cuda.launch", "cuda.synchronize"}) {
    const unsigned failures = test::fail_each_pass(place, Code::device_lost, prove,
                                                   [&] { EXPECT_EQ(prover.memory_usage().in_use, before) << place; });
    EXPECT_GE(failures, 1U) << place;
    prove();
  }
}

TEST(CudaFailpoints, ProofsTogetherThatFailLeaveNothingBehind) {
  const MemoryPlan plan{.key = MemoryPlan::Key::streamed, .quotient = {}, .tile_points = 2048};
  CudaProver prover({.device = 0, .memory = std::size_t{2} << 30, .plan = plan}, ThreadPool::shared());
  const groth16::KnownStatement known = groth16::known_statement();
  const auto key = prover.make_key(known.circuit, known.waste, {});
  const std::vector<groth16::ProofOfMany> proofs(2, {known.witness, groth16::Blinding::fresh, {}});
  const auto prove = [&] {
    for (const auto& made : prove_verified_together(prover, *key, known.circuit, proofs))
      if (const auto* failure = std::get_if<std::exception_ptr>(&made)) std::rethrow_exception(*failure);
  };
  prove();  // brings what stays: the circuit's tables
  const std::size_t before = prover.memory_usage().in_use;
  for (const char* place : {"cuda.device", "cuda.stream", "cuda.event", "cuda.memcpy", "cuda.synchronize"}) {
    const unsigned failures = test::fail_each_pass(place, Code::device_lost, prove,
                                                   [&] { EXPECT_EQ(prover.memory_usage().in_use, before) << place; });
    EXPECT_GE(failures, 1U) << place;
  }
  prove();
}

/// So large that sorting and listing have a stream of their own, and more than one group of windows.
TEST(CudaFailpoints, AProductThatFailsLeavesNothingBehind) {
  constexpr std::size_t kSize = std::size_t{1} << 18;
  test::GpuQueue gpu(std::size_t{2} << 30);
  test::Random random(17);
  const auto step = test::random_point<G1Affine>(random);
  const auto points = point_progression<G1Curve>(gpu.queue(), step, step, kSize);
  const auto scalars = gpu.upload(test::random_fields<Fr>(kSize, random));
  const auto multiply = [&] {
    const IdleAtEnd idle(gpu.queue().stream);
    return multi_scalar_mul_tuned<G1Curve>(gpu.queue(), points.span().first(kSize), scalars.span(), {16, 4});
  };
  const G1 expected = multiply();
  const std::size_t before = gpu.usage().in_use;
  for (const char* place : {"cuda.stream", "cuda.event", "cuda.memcpy", "cuda.launch", "cuda.synchronize"}) {
    const unsigned failures = test::fail_each_pass(place, Code::device_lost, multiply,
                                                   [&] { EXPECT_EQ(gpu.usage().in_use, before) << place; });
    EXPECT_GE(failures, 1U) << place;
    EXPECT_EQ(multiply(), expected) << "after " << place;
  }
}

}  // namespace
}  // namespace cuzk::cuda
#endif
