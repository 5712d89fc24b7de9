// Partitions that are proved in one call, so that they share the reading of a key that is streamed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>

#include "engine/engine_fixture.h"

namespace cuzk::engine {
namespace {

using testing::ElementsAre;

class EngineTogetherTest : public EngineTest {
 protected:
  EngineTogetherTest() {
    prover.together = 4;
    prover.on_together = [this](std::size_t count) {
      const std::lock_guard lock(mutex);
      calls.push_back(count);
    };
    options.policy.max_batch_size = 4;
    options.policy.max_batch_wait = 0s;
  }
  ~EngineTogetherTest() override { engine.reset(); }

  /// Two jobs in one batch: they wait behind others that are let go.
  std::vector<JobId> submit_together(const std::string& first, const std::string& second) {
    start(options);
    block_worker();
    std::vector<JobId> ids{engine->submit(request("a", first, 1)).id, engine->submit(request("b", second, 2)).id};
    for (const auto& id : ids) wait_until_read(id);
    return ids;
  }

  static std::vector<u8> proofs(std::size_t count) {
    std::vector<u8> result;
    const auto vectors = toy_vectors();
    for (const auto& vector : std::span(vectors).first(count))
      result.insert(result.end(), vector.proof.begin(), vector.proof.end());
    return result;
  }

  EngineOptions options;
  std::mutex mutex;
  std::vector<std::size_t> calls;
};

TEST_F(EngineTogetherTest, ThoseOfOneJobShareACall) {
  start(options);
  const auto result = run(request("a", "5"));
  EXPECT_EQ(result.proof, proofs(5));
  EXPECT_THAT(calls, ElementsAre(4u)) << "the fifth was alone";
}

TEST_F(EngineTogetherTest, ThoseOfSeveralJobsShareACall) {
  const auto ids = submit_together("2", "2");
  open();
  for (const auto& id : ids) EXPECT_EQ(engine->wait(id)->proof, proofs(2));
  EXPECT_THAT(calls, testing::Contains(4u));
}

TEST_F(EngineTogetherTest, OneThatIsCancelledDropsOutAndTheOthersGoOn) {
  prover.prove_time = 1ms;  // looks at the stop
  const auto ids = submit_together("2", "2");
  prover.on_together = [&](std::size_t) { engine->cancel(ids[1]); };
  open();
  EXPECT_EQ(engine->wait(ids[1])->state, JobState::cancelled);
  EXPECT_EQ(engine->wait(ids[0])->proof, proofs(2));
}

TEST_F(EngineTogetherTest, OneThatFailsFailsItsJobAlone) {
  const auto ids = submit_together("1", "3");
  prover.on_together = [&](std::size_t) {
    prover.on_prove = [](const groth16::Control& control) {
      if (control.item == 2u) throw invalid_input("test: no proof of this one");
    };
  };
  open();
  EXPECT_EQ(engine->wait(ids[0])->state, JobState::completed);
  EXPECT_EQ(engine->wait(ids[1])->state, JobState::failed);
  EXPECT_THAT(engine->wait(ids[1])->message, testing::HasSubstr("no proof of this one"));
}

TEST_F(EngineTogetherTest, ALostDeviceFailsThemAll) {
  const auto ids = submit_together("2", "2");
  prover.on_together = [](std::size_t) { throw Error(Code::device_lost, "test: it fell off the bus"); };
  open();
  for (const auto& id : ids) EXPECT_EQ(engine->wait(id)->code, Code::device_lost);
}

}  // namespace
}  // namespace cuzk::engine
