#include "engine/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <semaphore>

#include "engine/engine_fixture.h"
#include "groth16/expect_error.h"

namespace cuzk::engine {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

TEST_F(EngineTest, GivesTheProofsOfAllPartitionsInOrder) {
  start();
  const auto result = run(request("a", "5"));
  ASSERT_EQ(result.state, JobState::completed) << result.message;
  std::vector<u8> expected;
  for (const auto& vector : toy_vectors()) expected.insert(expected.end(), vector.proof.begin(), vector.proof.end());
  EXPECT_EQ(result.proof, expected);
}

TEST_F(EngineTest, MeasuresTheStages) {
  prover.load_time = 30ms;
  prover.prove_time = 40ms;
  decoder.witness_time = 20ms;
  start();
  const auto timings = run(request("a")).timings;
  EXPECT_GE(timings.key_load, 30ms);
  EXPECT_GE(timings.device, 40ms);
  EXPECT_GE(timings.synthesis, 20ms);
  EXPECT_GE(timings.total, 70ms);
}

TEST_F(EngineTest, MakesTheNextWitnessWhileOnePartitionIsProved) {
  constexpr std::size_t kPartitions = 5;
  std::size_t overlapped = 0;
  // A proof does not end before the next partition's witness has begun; in a pipeline it always does.
  prover.on_prove = [&](const groth16::Control&) {
    const std::size_t next = std::min<std::size_t>(static_cast<std::size_t>(prover.proofs.load()) + 2, kPartitions);
    const auto patience = Clock::now() + 20s;
    while (decoder.witnesses < next && Clock::now() < patience) std::this_thread::sleep_for(1ms);
    if (decoder.witnesses >= next) ++overlapped;
  };
  start();
  ASSERT_EQ(run(request("a", std::to_string(kPartitions))).state, JobState::completed);
  EXPECT_EQ(overlapped, kPartitions);
}

TEST_F(EngineTest, AFailureIsTheJobsAloneWhateverIsThrown) {
  start();
  const auto error = run(request("a", "error"));
  EXPECT_EQ(error.state, JobState::failed);
  EXPECT_EQ(error.code, Code::invalid_input);
  EXPECT_THAT(error.message, HasSubstr("comm_r has 31 bytes"));
  EXPECT_EQ(run(request("a", "exception")).state, JobState::failed);
  EXPECT_EQ(run(request("a", "number")).state, JobState::failed);
  EXPECT_EQ(run(request("a", "1")).state, JobState::completed);
}

TEST_F(EngineTest, AMissingKeyIsTheJobsFailure) {
  fs::remove(directory / "toy.params");
  start();
  const auto result = run(request("a"));
  EXPECT_EQ(result.state, JobState::failed);
  EXPECT_EQ(result.code, Code::not_found);
  EXPECT_THAT(result.message, HasSubstr("toy.params"));
}

TEST_F(EngineTest, TheSameRequestJoinsTheJobThatRunsAndGetsItsProofAfterwards) {
  start();
  block_worker();
  const auto first = engine->submit(request("a"));
  const auto second = engine->submit(request("a"));
  EXPECT_EQ(first.id, second.id);
  EXPECT_EQ(first.how, Engine::Accepted::How::enqueued);
  EXPECT_EQ(second.how, Engine::Accepted::How::joined);
  open();
  engine->wait(first.id);
  EXPECT_EQ(engine->submit(request("a")).id, first.id);
  engine->drain();
  EXPECT_EQ(prover.proofs, 3) << "the blockers' and one";
}

TEST_F(EngineTest, TheSameRequestIdWithAnotherInputIsAnotherJob) {
  start();
  const auto first = engine->submit(request("a", "1"));
  const auto second = engine->submit(request("a", "2"));
  EXPECT_NE(first.id, second.id);
  EXPECT_EQ(engine->wait(first.id)->proof.size(), 192u);
  EXPECT_EQ(engine->wait(second.id)->proof.size(), 384u);
}

TEST_F(EngineTest, AfterAFailureTheSameRequestIsTriedAgain) {
  start();
  const auto first = engine->submit(request("a", "error"));
  engine->wait(first.id);
  EXPECT_NE(engine->submit(request("a", "error")).id, first.id);
}

TEST_F(EngineTest, RunsHigherPrioritiesFirst) {
  prover.prove_time = 200ms;  // so that the lanes do not become free at the same moment
  start();
  block_worker();
  std::vector<JobId> ids;
  ids.push_back(engine->submit(urgent(Priority::low, "1", 1)).id);
  ids.push_back(engine->submit(urgent(Priority::normal, "1", 2)).id);
  for (const auto& id : ids) wait_until_read(id);
  EXPECT_LE(engine->submit(urgent(Priority::normal, "1", 4)).queue_position, 1u) << "the low one goes after it";
  ids.push_back(engine->submit(urgent(Priority::high, "1", 1)).id);  // the first one, now in a hurry
  EXPECT_EQ(ids.back(), ids.front());
  for (const auto& id : ids) wait_until_read(id);
  open();
  engine->drain();
  EXPECT_THAT(decoder.begun(), ElementsAre("1/999", "1/998", "1/1", "1/2", "1/4"));
}

TEST_F(EngineTest, AnUrgentJobStartsBesideWhatRuns) {
  start();
  block_worker();
  const auto id = engine->submit(urgent(Priority::critical, "1", 3)).id;
  while (engine->view(id).state == JobState::queued) std::this_thread::sleep_for(1ms);  // else it waits for ever
  EXPECT_EQ(engine->snapshot().running.size(), 3u);
  open();
  EXPECT_EQ(engine->wait(id)->state, JobState::completed);
}

TEST_F(EngineTest, CallsBackOnceWhetherTheJobHasEndedOrNot) {
  start();
  block_worker();
  std::atomic<int> calls = 0;
  const auto id = engine->submit(request("a")).id;
  const auto waiting = engine->when_finished(id, [&](const Engine::Result&) { ++calls; });
  {
    const auto gone = engine->when_finished(id, [&](const Engine::Result&) { calls += 100; });
  }
  open();
  engine->wait(id);
  engine->drain();
  EXPECT_EQ(calls, 1);
  const auto late = engine->when_finished(id, [&](const Engine::Result& result) {
    EXPECT_EQ(result->state, JobState::completed);
    ++calls;
  });
  EXPECT_EQ(calls, 2);
}

TEST_F(EngineTest, RefusesWhatTheQueueCannotHold) {
  EngineOptions options;
  options.max_queued = 2;
  options.max_queued_bytes = 1000;
  start(options);
  block_worker();
  engine->submit(request("a"));
  EXPECT_THROW(engine->submit(request("big", std::string(1000, '1'))), Error);
  engine->submit(request("b"));
  test::expect_error(Code::resource_exhausted, "is full", [&] { engine->submit(request("c")); });
  open();
}

TEST_F(EngineTest, AKindThatPilesUpLeavesRoomForTheOthers) {
  EngineOptions options;
  options.max_queued = 2;
  options.max_queued_bytes = 400;
  start(options);
  block_worker();
  const auto padded = [](std::size_t bytes) { return std::string(bytes - 1, ' ') + "1"; };
  for (const char* id : {"a", "b"}) engine->submit(request(id, padded(100)));
  EXPECT_THROW(engine->submit(request("c")), Error) << "two of its kind wait";
  auto winning = urgent(Priority::critical, padded(150), 1);
  winning.input.kind = Kind::winning_post;
  auto window = urgent(Priority::high, padded(190), 2);
  window.input.kind = Kind::window_post;
  EXPECT_THROW(engine->submit(window), Error) << "a part is for urgent jobs alone";
  EXPECT_EQ(engine->submit(winning).how, Engine::Accepted::How::enqueued);
  open();
}

TEST_F(EngineTest, AKindThatIsStuckStopsNoOther) {
  EngineOptions options;
  options.stuck_after = 20ms;
  start(options);
  std::atomic<int> stuck = 0;
  prover.on_prove = [&, opened = gate.get_future().share()](const groth16::Control&) {
    if (stuck < 2 && ++stuck <= 2) opened.wait();
  };
  for (const char* id : {"a", "b", "c"}) engine->submit(request(id));
  while (stuck < 2) std::this_thread::sleep_for(1ms);
  for (const Kind kind : {Kind::window_post, Kind::winning_post}) {
    auto other = request("other");
    other.input.kind = kind;
    EXPECT_EQ(run(std::move(other)).state, JobState::completed) << name(kind);
  }
  EXPECT_EQ(engine->list(Engine::Which::unfinished).size(), 3u);
  open();
}

TEST_F(EngineTest, LimitsChangeWhileItRuns) {
  start();
  block_worker();
  engine->submit(request("a"));
  EngineLimits limits;
  limits.max_queued = 1;
  engine->set_limits(limits);
  EXPECT_THROW(engine->submit(request("b")), Error);
  limits.max_queued = 2;
  limits.retention.jobs = 0;
  engine->set_limits(limits);
  const auto id = engine->submit(request("b")).id;
  open();
  engine->drain();
  EXPECT_THROW(engine->view(id), Error) << "nothing is remembered any more";
}

TEST_F(EngineTest, TellsWhatItsLanesDo) {
  start();
  block_worker();
  using State = PartitionView::State;
  const auto lanes_that = [&](State state) {
    return std::ranges::count(engine->snapshot().workers, state, &WorkerView::state);
  };
  while (lanes_that(State::pending) != 2 || lanes_that(State::proving) != 1) std::this_thread::sleep_for(1ms);
  const auto snapshot = engine->snapshot();
  ASSERT_EQ(snapshot.workers.size(), 4u) << "three lanes and one for urgent jobs";
  ASSERT_EQ(snapshot.running.size(), 2u);
  EXPECT_EQ(snapshot.running[0].each.size(), 1u);
  EXPECT_EQ(snapshot.running[0].each[0].state, State::proving);
  open();
  engine->drain();
  for (const auto& worker : engine->snapshot().workers) EXPECT_EQ(worker.state, State::pending);
}

TEST_F(EngineTest, RefusesKindsThatAreNotOffered) {
  start();
  auto snap = request("a");
  snap.input.kind = Kind::snap;
  EXPECT_THROW(engine->submit(snap), Error);
}

TEST_F(EngineTest, ForgetsFinishedJobsBeyondTheLimit) {
  EngineOptions options;
  options.retention = {.jobs = 1, .bytes = 1 << 20, .age = 1h};
  start(options);
  const auto first = engine->submit(request("a", "1")).id;
  engine->wait(first);
  run(request("b", "2"));
  try {
    engine->view(first);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::not_found);
    EXPECT_THAT(error.what(), HasSubstr(first));
  }
  EXPECT_NE(engine->submit(request("a", "1")).id, first) << "its proof is forgotten too";
}

TEST_F(EngineTest, CountsByKind) {
  start();
  run(request("a", "1"));
  run(request("a", "error"));
  const auto counts = engine->snapshot().kinds[0];
  EXPECT_EQ(counts.kind, Kind::porep);
  EXPECT_EQ(counts.completed, 1u);
  EXPECT_EQ(counts.failed, 1u);
  EXPECT_EQ(counts.pending + counts.running, 0u);
}

TEST_F(EngineTest, PreloadsAndFreesKeys) {
  start();
  EXPECT_EQ(engine->preload("toy"), keys::KeyStore::Loaded::Source::file);
  EXPECT_EQ(engine->preload("toy"), keys::KeyStore::Loaded::Source::store);
  EXPECT_EQ(engine->evict("toy"), 4096u);
  EXPECT_EQ(engine->evict("toy"), std::nullopt);
  EXPECT_EQ(run(request("a")).state, JobState::completed) << "loaded again";
}

TEST_F(EngineTest, AKeyInUseIsNotFreed) {
  start();
  block_worker();
  try {
    engine->evict("toy");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::unavailable);
    EXPECT_THAT(error.what(), HasSubstr("toy"));
  }
  open();
  engine->drain();
}

TEST_F(EngineTest, AJobThatCanNeverFitIsRefusedSayingWhatItNeeds) {
  const std::vector<EngineDevice> devices{{prover, keys, groth16::DeviceMemory{4000, 0}}};  // the key takes 4096
  engine = std::make_unique<Engine>(decoder, devices);
  const auto result = run(request("a"));
  EXPECT_EQ(result.state, JobState::failed);
  EXPECT_EQ(result.code, Code::resource_exhausted);
  EXPECT_THAT(result.message, HasSubstr("the largest device has"));
}

TEST_F(EngineTest, EachKindHasAQueueOfItsOwn) {
  EngineOptions options;
  options.policy.kinds[static_cast<std::size_t>(Kind::porep)].max_queued = 1;
  start(options);
  block_worker();
  engine->submit(request("a"));
  test::expect_error(Code::resource_exhausted, "porep", [&] { engine->submit(request("b")); });
  auto other = request("c");
  other.input.kind = Kind::window_post;
  engine->submit(other);
  open();
}

std::vector<std::string> names_of(const std::vector<SpanRecord>& records) {
  std::vector<std::string> names;
  for (const auto& record : records) names.push_back(record.name);
  return names;
}

TEST_F(EngineTest, ATraceShowsWhatAJobThatWaitsHasDone) {
  start();
  block_worker();
  const auto id = engine->submit(request("a")).id;
  wait_until_read(id);
  EXPECT_THAT(names_of(engine->trace(id)), ElementsAre("queue", "decode", "circuit"));
  open();
}

TEST_F(EngineTest, KeepsTheTracesOfTheLastJobsThatEnded) {
  EngineOptions options;
  options.keep_traces = 1;
  start(options);
  const auto first = engine->submit(request("a")).id;
  engine->wait(first);
  EXPECT_THAT(names_of(engine->trace(first)), testing::IsSupersetOf({"queue", "decode", "witness", "prove", "verify"}));
  const auto second = engine->submit(request("b")).id;
  engine->wait(second);
  EXPECT_THROW(engine->trace(first), Error);
  EXPECT_FALSE(engine->trace(second).empty());
  EXPECT_THROW(engine->trace("no such job"), Error);
}

TEST_F(EngineTest, TellsWhenItIsIdle) {
  std::counting_semaphore<> idle(0);
  EngineOptions options;
  options.idle_after = 1ms;
  options.on_idle = [&] {
    const auto snapshot = engine->snapshot();
    EXPECT_TRUE(snapshot.running.empty());
    idle.release();
  };
  start(options);
  for (const char* id : {"a", "b"}) {
    EXPECT_EQ(run(request(id)).state, JobState::completed);
    idle.acquire();
  }
}

TEST_F(EngineTest, ManyClientsAtOnce) {
  start();
  std::vector<std::jthread> clients;
  std::atomic<int> completed = 0;
  for (int i = 0; i < 8; ++i) {
    clients.emplace_back([&, i] {
      for (int k = 0; k < 10; ++k) {
        const auto id = engine->submit(request("client", "1", static_cast<u64>(i * 5 + k))).id;
        if (k % 5 == 4) engine->cancel(id);
        const auto result = engine->wait(id);
        if (result->state == JobState::completed) ++completed;
        engine->snapshot();
      }
    });
  }
  clients.clear();
  EXPECT_GT(completed, 0);
}

}  // namespace
}  // namespace cuzk::engine
