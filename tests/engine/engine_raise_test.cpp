// A job that somebody wants sooner than was said at first.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "engine/engine_fixture.h"

namespace cuzk::engine {
namespace {

class EngineRaiseTest : public EngineTest {};

TEST_F(EngineRaiseTest, WhatBecomesUrgentBehindAnotherIsProvedBesideIt) {
  start();
  block_worker();  // both of one kind: the first proves, the other waits for its turn
  const auto jobs = engine->list(Engine::Which::unfinished);
  ASSERT_EQ(jobs.size(), 2u);
  const auto proving = [&] {
    const auto running = engine->snapshot().running;
    return std::count_if(running.begin(), running.end(),
                         [](const RunningJob& job) { return job.each.at(0).state == PartitionView::State::proving; });
  };
  while (proving() != 1) std::this_thread::sleep_for(1ms);
  for (const auto& job : jobs) engine->raise(job.id, Priority::critical);
  while (proving() != 2) std::this_thread::sleep_for(1ms);  // else it waits for ever
  open();
  for (const auto& job : jobs) EXPECT_EQ(engine->wait(job.id)->state, JobState::completed);
  EXPECT_EQ(prover.proofs, 2) << "what was proved already went on";
  engine->raise(jobs[0].id, Priority::critical);  // it has ended: nothing happens
  EXPECT_THROW(engine->raise("nobody's", Priority::critical), Error);
}

}  // namespace
}  // namespace cuzk::engine
