// What the engine shows to people who look at it.
#include <gmock/gmock.h>

#include <algorithm>

#include "engine/engine_fixture.h"

namespace cuzk::engine {
namespace {

using testing::ElementsAre;

class OverviewTest : public EngineTest {
 protected:
  /// The stages of a lane's spans that have ended, in the order in which they ended; how long a turn is waited for is the
  /// machine's choice.
  std::vector<std::string> stages(Lane::Role role) const {
    std::vector<std::string> names;
    for (const auto& span : engine->lane_spans(0))
      if (span.lane.role == role && span.stage != LaneSpan::Stage::wait && span.how == LaneSpan::End::done)
        names.emplace_back(name(span.stage));
    return names;
  }
};

TEST_F(OverviewTest, CountsWhatWaitsByKindAndPriority) {
  start();
  block_worker();
  engine->submit(urgent(Priority::high, "1", 1));
  engine->submit(urgent(Priority::low, "1", 2));
  engine->submit(urgent(Priority::low, "1", 3));
  const auto waiting = engine->overview().waiting;
  EXPECT_EQ(waiting.count(Kind::porep, Priority::high), 1u);
  EXPECT_EQ(waiting.count(Kind::porep, Priority::low), 2u);
  EXPECT_EQ(waiting.count(Kind::window_post, Priority::high), 0u);
  engine->submit(urgent(Priority::high, "1", 2));  // joins, and raises it
  EXPECT_EQ(engine->overview().waiting.count(Kind::porep, Priority::low), 1u);
  EXPECT_EQ(engine->overview().waiting.count(Kind::porep, Priority::high), 2u);
  open();
  engine->drain();
  for (const Kind kind : kKinds)
    for (const auto priority : {Priority::low, Priority::normal, Priority::high, Priority::critical})
      EXPECT_EQ(engine->overview().waiting.count(kind, priority), 0u);
}

TEST_F(OverviewTest, ShowsTheJobsThatRunWaitAndHaveEnded) {
  start();
  run(request("before"));
  block_worker();
  const auto id = engine->submit(request("after", "2", 7)).id;
  wait_until_read(id);
  const auto overview = engine->overview();
  EXPECT_EQ(overview.running_jobs, overview.running.size());
  ASSERT_FALSE(overview.running.empty());
  EXPECT_EQ(overview.running[0].request_id, "blocker");
  ASSERT_EQ(overview.ended.size(), 1u);
  EXPECT_EQ(overview.ended[0]->request_id, "before");
  EXPECT_EQ(overview.ended[0]->circuit, "toy");
  EXPECT_EQ(overview.ended[0]->state, JobState::completed);
  open();
}

TEST_F(OverviewTest, AJobsStagesLieInItsTime) {
  decoder.witness_time = 20ms;
  prover.prove_time = 30ms;
  start();
  run(request("a", "2"));
  const auto job = engine->overview().ended.at(0);
  std::vector<std::string> names;
  for (const auto& stage : job->stages) {
    names.push_back(stage.name);
    EXPECT_LE(stage.begin, stage.end) << stage.name;
    EXPECT_LE(stage.end, job->queued + job->ran) << stage.name;
  }
  EXPECT_THAT(names, ElementsAre("decode", "circuit", "key", "witness", "prove", "verify"));
  EXPECT_EQ(job->stages[4].spans, 2u);
  EXPECT_GE(job->stages[4].busy, 60ms);
}

TEST_F(OverviewTest, FailuresStayWhenOthersSucceedAfterThem) {
  start();
  run(request("bad", "error"));
  for (u64 sector = 0; sector < EndedJobs::kMost + 3; ++sector) run(request("good", "1", sector));
  const auto overview = engine->overview();
  EXPECT_EQ(overview.ended.size(), EndedJobs::kMost);
  ASSERT_EQ(overview.failures.size(), 1u);
  EXPECT_EQ(overview.failures[0]->request_id, "bad");
  EXPECT_EQ(overview.failures[0]->code, Code::invalid_input);
  EXPECT_EQ(overview.failures[0]->message, "field comm_r has 31 bytes, expected 32");
}

TEST_F(OverviewTest, LanesTellWhatTheyDid) {
  prover.prove_time = 2ms;
  start();
  run(request("a"));
  EXPECT_THAT(stages(Lane::Role::intake), ElementsAre("decode"));
  EXPECT_THAT(stages(Lane::Role::keys), ElementsAre("key"));
  EXPECT_THAT(stages(Lane::Role::ordinary), ElementsAre("witness", "prove"));
  auto critical = request("b", "1", 2);
  critical.priority = Priority::critical;
  run(critical);
  EXPECT_THAT(stages(Lane::Role::urgent), ElementsAre("witness", "prove"));
}

TEST_F(OverviewTest, AFailedProofIsDroppedInItsLane) {
  prover.on_prove = [](const groth16::Control&) { throw Error(Code::resource_exhausted, "no memory"); };
  start();
  run(request("a"));
  const auto spans = engine->lane_spans(0);
  EXPECT_TRUE(std::ranges::any_of(spans, [](const LaneSpan& span) {
    return span.stage == LaneSpan::Stage::prove && span.how == LaneSpan::End::dropped;
  }));
  EXPECT_TRUE(std::ranges::none_of(spans, [](const auto& span) { return span.how == LaneSpan::End::running; }));
}

TEST_F(OverviewTest, MemoryIsWhatTheSchedulerSetsAside) {
  prover.device_memory = groth16::DeviceMemory{1'000'000, 100'000};
  prover.proof_bytes = 300'000;
  start();
  EXPECT_TRUE(engine->overview().memory.devices.at(0).keys.empty());
  block_worker();
  const auto device = engine->overview().memory.devices.at(0);
  EXPECT_EQ(device.ordinary.limit, 900'000u);
  EXPECT_EQ(device.urgent.limit, 100'000u);
  EXPECT_EQ(device.proofs, 300'000u) << "lanes take turns";
  EXPECT_EQ(device.ordinary.used, 300'000u + 4096u);
  ASSERT_EQ(device.keys.size(), 1u);
  EXPECT_EQ(device.keys[0].circuit, "toy");
  EXPECT_EQ(device.keys[0].bytes, 4096u);
  EXPECT_EQ(device.keys[0].state, MemoryOfKey::State::resident);
  EXPECT_GE(device.keys[0].batches, 1u);
  open();
}

}  // namespace
}  // namespace cuzk::engine
