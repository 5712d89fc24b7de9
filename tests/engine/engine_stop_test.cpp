// How work ends before its time: jobs that are cancelled or too late, and the engine itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <semaphore>

#include "engine/engine.h"
#include "engine/engine_fixture.h"
#include "groth16/expect_error.h"
#include "msm/msm.h"

namespace cuzk::engine {
namespace {

using testing::ElementsAre;

class EngineStopTest : public EngineTest {};

TEST_F(EngineStopTest, CancelsAQueuedJobAtOnce) {
  start();
  block_worker();
  const auto id = engine->submit(request("a")).id;
  EXPECT_EQ(engine->cancel(id), JobState::queued);
  EXPECT_EQ(engine->wait(id)->state, JobState::cancelled);
  EXPECT_EQ(engine->cancel(id), JobState::cancelled);
  EXPECT_NE(engine->submit(request("a")).id, id) << "who asks again wants the proof";
  open();
}

TEST_F(EngineStopTest, CancelsARunningJobSoonAndGoesOn) {
  prover.prove_time = 60s;
  start();
  const auto id = engine->submit(request("a")).id;
  while (engine->view(id).state == JobState::queued) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(engine->cancel(id), JobState::running);
  EXPECT_EQ(engine->wait(id)->state, JobState::cancelled);
  prover.prove_time = 0ms;
  EXPECT_EQ(run(request("b")).state, JobState::completed);
}

TEST_F(EngineStopTest, CancelsAProofInTheMiddleOfItsProducts) {
  std::binary_semaphore begun(0);
  prover.on_prove = [&](const groth16::Control& control) {
    ThreadPool pool = ThreadPool::shared().until(control.stop);
    const std::vector<G1Affine> points(1 << 16, G1Affine::generator());
    const std::vector<Fr> scalars(points.size(), -Fr::one());
    begun.release();
    while (true) msm::multi_scalar_mul(std::span<const G1Affine>(points), std::span<const Fr>(scalars), pool);
  };
  start();
  const auto id = engine->submit(request("a")).id;
  begun.acquire();
  EXPECT_EQ(engine->cancel(id), JobState::running);
  EXPECT_EQ(engine->wait(id)->state, JobState::cancelled);
  prover.on_prove = [](const groth16::Control&) {};
  EXPECT_EQ(run(request("b")).state, JobState::completed);
}

TEST_F(EngineStopTest, WaitingEndsAtItsTimeAndTheJobGoesOn) {
  start();
  block_worker();
  const auto id = engine->submit(request("a")).id;
  EXPECT_EQ(engine->wait(id, Clock::now() + 20ms), nullptr);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(engine->wait(id, std::nullopt, stop.get_token()), Error);
  open();
  EXPECT_EQ(engine->wait(id)->state, JobState::completed);
}

TEST_F(EngineStopTest, DrainFinishesWhatWasAcceptedAndRefusesTheRest) {
  start();
  block_worker();
  const auto id = engine->submit(request("a")).id;
  std::jthread draining([&] { engine->drain(); });
  while (engine->snapshot().mode == Mode::accepting) std::this_thread::sleep_for(1ms);
  test::expect_error(Code::unavailable, "draining", [&] { engine->submit(request("b")); });
  EXPECT_EQ(engine->submit(request("a")).id, id) << "joining is no new job";
  open();
  draining.join();
  EXPECT_EQ(engine->wait(id)->state, JobState::completed);
}

TEST_F(EngineStopTest, ItsEndTellsThoseWhoWait) {
  prover.prove_time = 60s;
  start();
  std::vector<JobState> told;
  std::vector<Engine::Subscription> waiting;
  for (const char* id : {"a", "b"}) {
    waiting.push_back(engine->when_finished(engine->submit(request(id)).id,
                                            [&](const Engine::Result& result) { told.push_back(result->state); }));
  }
  engine->stop();
  waiting.clear();
  EXPECT_THAT(told, ElementsAre(JobState::cancelled, JobState::cancelled));
}

TEST_F(EngineStopTest, AWitnessThatNobodyWantsAnyMoreIsStopped) {
  start();
  const auto id = engine->submit(request("a", "endless")).id;
  while (decoder.witnesses == 0) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(engine->cancel(id), JobState::running);
  EXPECT_EQ(engine->wait(id)->state, JobState::cancelled);
  EXPECT_EQ(run(request("b")).state, JobState::completed);
}

TEST_F(EngineStopTest, AStopReachesTheChecksOfARequest) {
  std::binary_semaphore begun(0);
  decoder.on_decode = [&](const groth16::Control& control) {
    begun.release();
    pause(std::chrono::hours(1), control.stop);
  };
  start();
  const auto id = engine->submit(request("a")).id;
  begun.acquire();
  engine->cancel(id);
  EXPECT_EQ(engine->wait(id)->state, JobState::cancelled);
  decoder.on_decode = [](const groth16::Control&) {};
  EXPECT_EQ(run(request("b")).state, JobState::completed) << "by the same thread";
}

TEST_F(EngineStopTest, AJobIsCancelledWhileItsRequestIsRead) {
  decoder.on_decode = [opened = gate.get_future().share()](const groth16::Control&) { opened.wait(); };
  start();
  const auto id = engine->submit(request("a")).id;
  while (engine->view(id).stage != "reading the request") std::this_thread::sleep_for(1ms);
  EXPECT_EQ(engine->cancel(id), JobState::queued);
  EXPECT_EQ(engine->wait(id)->state, JobState::cancelled) << "though its thread is not done with it";
  open();
  EXPECT_EQ(run(request("a")).state, JobState::completed);
  EXPECT_EQ(decoder.witnesses, 1u) << "of the second job";
}

TEST_F(EngineStopTest, AJobWhoseDeadlinePassesWhileItWaitsIsTimedOut) {
  start();
  block_worker();
  auto late = request("late");
  late.deadline = Clock::now() + 50ms;
  EXPECT_EQ(run(late).state, JobState::timed_out);
  open();
}

}  // namespace
}  // namespace cuzk::engine
