#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <future>

#include "engine/engine_fixture.h"
#include "engine/journal/journal.h"

namespace cuzk::engine {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// An engine that can be ended and started again on the same journal.
class EngineJournalTest : public EngineFixture {
 protected:
  EngineJournalTest() { start(); }
  ~EngineJournalTest() override { finish(); }

  void start() {
    journal = std::make_unique<Journal>(directory / "journal");
    EngineOptions options;
    options.journal = journal.get();
    engine = std::make_unique<Engine>(decoder, std::vector<EngineDevice>{{prover, keys}}, options);
  }
  void finish() {
    engine.reset();
    journal.reset();
  }

  std::unique_ptr<Journal> journal;
  std::unique_ptr<Engine> engine;
};

TEST_F(EngineJournalTest, AResultIsThereAfterARestart) {
  const auto id = engine->submit(request("a", "2")).id;
  const auto proof = engine->wait(id)->proof;
  EXPECT_EQ(proof.size(), 384u);
  finish();
  start();
  EXPECT_EQ(engine->wait(id)->proof, proof);
  EXPECT_EQ(engine->view(id).request_id, "a");
  const auto again = engine->submit(request("a", "2"));
  EXPECT_EQ(again.id, id) << "it is joined, not proved again";
  EXPECT_EQ(prover.proofs, 2);
}

TEST_F(EngineJournalTest, WhatHadNotEndedRunsAgain) {
  prover.prove_time = 60s;
  const auto running = engine->submit(request("a", "2")).id;
  const auto waiting = engine->submit(request("b")).id, other = engine->submit(request("c")).id;
  while (engine->view(running).state == JobState::queued) std::this_thread::sleep_for(1ms);
  finish();
  prover.prove_time = 0ms;
  start();
  EXPECT_EQ(engine->wait(running)->proof.size(), 384u);
  EXPECT_EQ(engine->wait(waiting)->state, JobState::completed);
  EXPECT_EQ(engine->wait(other)->state, JobState::completed);
}

TEST_F(EngineJournalTest, ACancelledJobStaysCancelled) {
  prover.prove_time = 60s;
  const auto id = engine->submit(request("a")).id;
  engine->cancel(id);
  EXPECT_EQ(engine->wait(id)->state, JobState::cancelled);
  finish();
  start();
  EXPECT_EQ(engine->view(id).state, JobState::cancelled);
  EXPECT_EQ(prover.proofs, 0);
}

TEST_F(EngineJournalTest, TellsWhenAJobIsOnTheDisk) {
  std::promise<std::exception_ptr> recorded;
  engine->submit(request("a"), [&](std::exception_ptr error) { recorded.set_value(std::move(error)); });
  EXPECT_EQ(recorded.get_future().get(), nullptr);
  std::promise<std::exception_ptr> joined;
  engine->submit(request("a"), [&](std::exception_ptr error) { joined.set_value(std::move(error)); });
  EXPECT_EQ(joined.get_future().get(), nullptr);
}

TEST_F(EngineJournalTest, AJobWithAGivenBlindingIsNotWrittenDown) {
  auto fixed = request("a");
  fixed.blinding = [](std::size_t) { return groth16::Blinding::fresh(); };
  const auto id = engine->submit(fixed).id;
  EXPECT_EQ(engine->wait(id)->state, JobState::completed);
  finish();
  start();
  EXPECT_THROW(engine->view(id), Error);
}

TEST_F(EngineJournalTest, ForgottenResultsAreForgottenOnTheDiskToo) {
  finish();
  journal = std::make_unique<Journal>(directory / "journal");
  EngineOptions options;
  options.journal = journal.get();
  options.retention.jobs = 1;
  engine = std::make_unique<Engine>(decoder, std::vector<EngineDevice>{{prover, keys}}, options);
  const auto first = engine->submit(request("a")).id;
  engine->wait(first);
  engine->wait(engine->submit(request("b")).id);
  finish();
  start();
  EXPECT_THROW(engine->view(first), Error);
  EXPECT_EQ(engine->list(Engine::Which::all).size(), 1u);
}

TEST_F(EngineJournalTest, AnInputThatIsGoneIsTheFailureOfItsJobAlone) {
  prover.prove_time = 60s;
  const auto big = engine->submit(request("big", std::string(100'000, '0') + "1")).id;  // a file of its own
  const auto small = engine->submit(request("small")).id;
  while (engine->view(big).state == JobState::queued) std::this_thread::sleep_for(1ms);
  finish();
  for (const auto& file : fs::directory_iterator(directory / "journal" / "inputs")) fs::remove(file);
  prover.prove_time = 0ms;
  start();
  EXPECT_EQ(engine->wait(big)->state, JobState::failed);
  EXPECT_FALSE(engine->wait(big)->message.empty());
  EXPECT_EQ(engine->wait(small)->state, JobState::completed);
}

}  // namespace
}  // namespace cuzk::engine
