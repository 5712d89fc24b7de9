// Calls that wait for a job are gone once they are answered: a daemon answers millions of them.
#include <grpcpp/server_context.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "engine/engine_fixture.h"
#include "server/engine_desk.h"
#include "server/proving_service.h"

namespace cuzk::server {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kCalls = 1000, kBytesOfACall = 100;  // one that stays has several times as many

/// The service's own functions, without a server: what gRPC would do of a call the test does.
class CallMemory : public engine::EngineTest {
 protected:
  /// Of the thread that makes the calls.
  static std::size_t bytes_in_use() { return ::mallinfo2().uordblks; }

  /// What `call` leaves behind; alarms that were stopped are given back by another thread, some time.
  template <class Call>
  static std::size_t bytes_left_by(const Call& call) {
    call();
    const std::size_t before = bytes_in_use();
    for (std::size_t i = 0; i < kCalls; ++i) call();
    const auto left = [before] { return bytes_in_use() - std::min(before, bytes_in_use()); };
    for (int i = 0; i < 100 && left() > kCalls * kBytesOfACall; ++i) std::this_thread::sleep_for(50ms);
    return left();
  }

  EngineDesk desk{start()};
  Metrics metrics;
  ProvingService service{*engine, desk, keys, metrics};
};

TEST_F(CallMemory, AwaitedWithATimeLimitItIsGivenBack) {
  v1::AwaitProofRequest request;
  request.set_job_id(engine->submit(this->request("done")).id);
  engine->wait(request.job_id());
  request.set_timeout_ms(3'600'000);
  const auto await_once = [&] {
    grpc::CallbackServerContext context;
    v1::AwaitProofResponse response;
    service.AwaitProof(&context, &request, &response)->OnDone();
    ASSERT_EQ(response.status(), v1::AwaitProofResponse::COMPLETED);
  };
  EXPECT_LE(bytes_left_by(await_once), kCalls * kBytesOfACall);
}

TEST_F(CallMemory, WatchedItIsGivenBack) {
  v1::WatchProofRequest request;
  request.set_job_id(engine->submit(this->request("runs", "endless")).id);
  const auto watch_once = [&] {
    grpc::CallbackServerContext context;
    auto* const call = service.WatchProof(&context, &request);
    call->OnWriteDone(true);  // it looks again later
    call->OnCancel();
    call->OnDone();
  };
  EXPECT_LE(bytes_left_by(watch_once), kCalls * kBytesOfACall);
}

}  // namespace
}  // namespace cuzk::server
