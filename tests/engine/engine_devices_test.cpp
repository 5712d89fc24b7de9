// Several devices: how work is shared out, and what becomes of it when one is lost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/engine_fixture.h"
#include "groth16/expect_error.h"
#include "keys/cold_file.h"

namespace cuzk::engine {
namespace {

using testing::Each;
using testing::HasSubstr;
using Copies = Engine::Copies;
using DeviceState = DeviceLanes::State;

class EngineDevicesTest : public EngineTest {
 protected:
  EngineDevicesTest() {
    prover.name = "test:0";
    second.name = "test:1";
  }
  ~EngineDevicesTest() override { engine.reset(); }  // before what it uses

  Engine& start_both(EngineDevice::Role role = EngineDevice::Role::regular) {
    return start({{prover, keys}, {.prover = second, .keys = second_keys, .role = role}});
  }

  Engine& start(const std::vector<EngineDevice>& devices) {
    engine = std::make_unique<Engine>(decoder, devices);
    return *engine;
  }

  std::vector<EngineDevice> with_memory(u64 first, u64 other) {
    using Memory = groth16::DeviceMemory;
    return {{prover, keys, Memory{.total = first}}, {second, second_keys, Memory{.total = other}}};
  }

  static void lose(const groth16::Control&) { throw Error(Code::device_lost, "test: it fell off the bus"); }

  std::vector<std::size_t> keys_held() const {
    std::vector<std::size_t> result;
    for (const auto& device : engine->devices()) result.push_back(device.keys.size());
    return result;
  }

  TestProver second;
  keys::KeyStore second_keys{directory,
                             [](std::string_view) {
                               return keys::KeyFileNames{"toy.params", "toy.vk"};
                             },
                             second};
};

std::vector<u8> proofs_of_all_toys() {
  std::vector<u8> result;
  for (const auto& vector : toy_vectors()) result.insert(result.end(), vector.proof.begin(), vector.proof.end());
  return result;
}

TEST_F(EngineDevicesTest, PartitionsOfOneJobRunOnAllThatHoldItsKey) {
  std::array<std::atomic<bool>, 2> proves{};
  const auto meet = [&](std::size_t own) {
    return [&, own](const groth16::Control&) {
      proves[own] = true;
      const auto patience = Clock::now() + 20s;
      while (!(proves[0] && proves[1]) && Clock::now() < patience) std::this_thread::sleep_for(1ms);
    };
  };
  prover.on_prove = meet(0);
  second.on_prove = meet(1);
  start_both().preload("toy");
  const auto result = run(request("a", "5"));
  EXPECT_EQ(result.proof, proofs_of_all_toys());
  EXPECT_TRUE(proves[0] && proves[1]);
  EXPECT_EQ(prover.proofs + second.proofs, 5);
}

TEST_F(EngineDevicesTest, AJobGoesToTheOneThatHoldsItsKey) {
  start_both();
  for (const char* id : {"a", "b", "c"}) EXPECT_EQ(run(request(id, "3")).state, JobState::completed);
  EXPECT_EQ(std::max(prover.proofs.load(), second.proofs.load()), 9) << "the key was loaded once";
  EXPECT_EQ(engine->preload("toy", Copies::one), keys::KeyStore::Loaded::Source::store);
}

TEST_F(EngineDevicesTest, AKindLeavesALaneOfEachToTheOthers) {
  prover.on_prove = second.on_prove = [opened = gate.get_future().share()](const groth16::Control&) { opened.wait(); };
  start_both().preload("toy");
  engine->submit(request("a", "5"));
  while (decoder.witnesses < 4) std::this_thread::sleep_for(1ms);
  auto other = request("b");
  other.input.kind = Kind::window_post;
  engine->submit(other);
  while (decoder.witnesses < 5) std::this_thread::sleep_for(1ms);
  EXPECT_THAT(decoder.begun(), testing::Contains("1/0"));
  open();
  engine->drain();
}

TEST_F(EngineDevicesTest, WhatRunsOnOneThatIsLostRunsAgainOnAnother) {
  prover.on_prove = lose;
  start_both().preload("toy");
  const auto id = engine->submit(request("a", "5")).id;
  EXPECT_EQ(engine->wait(id)->proof, proofs_of_all_toys());
  EXPECT_EQ(engine->view(id).partitions_done, 5u);
  EXPECT_EQ(second.proofs, 5);
  const auto snapshot = engine->snapshot();
  ASSERT_EQ(snapshot.devices.size(), 2u);
  EXPECT_EQ(snapshot.devices[0].state, DeviceState::lost);
  EXPECT_EQ(snapshot.devices[1].state, DeviceState::active);
  EXPECT_THAT(snapshot.workers, Each(testing::Field(&WorkerView::device, 1u)));
  EXPECT_EQ(run(request("b")).state, JobState::completed) << "it is asked no more";
}

TEST_F(EngineDevicesTest, WhatIsStuckOnOneThatIsLostIsNotWaitedFor) {
  std::atomic<int> begun = 0;
  prover.on_prove = [&, opened = gate.get_future().share()](const groth16::Control& control) {
    if (begun++ > 0) lose(control);
    opened.wait();
  };
  std::promise<void> second_gate;
  second.on_prove = [opened = second_gate.get_future().share()](const groth16::Control&) { opened.wait(); };
  start_both().preload("toy");
  std::vector<JobId> ids;
  for (const u64 sector : {1, 2}) {  // one on each
    ids.push_back(engine->submit(request("a", "1", sector)).id);
    while (decoder.witnesses < sector) std::this_thread::sleep_for(1ms);
  }
  while (begun == 0) std::this_thread::sleep_for(1ms);
  ids.push_back(engine->submit(urgent(Priority::critical, "1", 3)).id);  // on the first, beside what is stuck
  while (engine->devices()[0].state == DeviceState::active) std::this_thread::sleep_for(1ms);
  second_gate.set_value();
  for (const auto& id : ids) EXPECT_EQ(engine->wait(id)->state, JobState::completed);
  EXPECT_EQ(second.proofs, 3);
  open();
}

TEST_F(EngineDevicesTest, OneIsLostWhileItsKeyIsLoaded) {
  prover.on_load = [] { lose({}); };
  start_both();
  EXPECT_EQ(run(request("a")).state, JobState::completed);
  EXPECT_EQ(engine->devices()[0].state, DeviceState::lost);
}

TEST_F(EngineDevicesTest, TheLastOneThatIsLostFailsTheJob) {
  prover.on_prove = second.on_prove = lose;
  start_both();
  const auto result = run(request("a", "2"));
  EXPECT_EQ(result.state, JobState::failed);
  EXPECT_EQ(result.code, Code::device_lost);
  EXPECT_THAT(result.message, HasSubstr("fell off the bus"));
  second.on_prove = [](const groth16::Control&) {};
  EXPECT_EQ(run(request("b")).state, JobState::completed) << "it is asked all the same: there is no other";
}

TEST_F(EngineDevicesTest, ASpareProvesOnceAllOthersAreLost) {
  start_both(EngineDevice::Role::spare);
  EXPECT_EQ(run(request("a", "5")).state, JobState::completed);
  EXPECT_EQ(second.proofs, 0);
  EXPECT_EQ(engine->snapshot().workers.size(), 4u);
  prover.on_prove = lose;
  EXPECT_EQ(run(request("b", "5")).proof, proofs_of_all_toys());
  EXPECT_EQ(second.proofs, 5);
  EXPECT_EQ(engine->devices()[1].state, DeviceState::active);
}

TEST_F(EngineDevicesTest, KeysAreLoadedOnOneOrOnAllAndFreedEverywhere) {
  start_both();
  EXPECT_EQ(engine->preload("toy", Copies::one), keys::KeyStore::Loaded::Source::file);
  EXPECT_THAT(keys_held(), testing::UnorderedElementsAre(0u, 1u));
  EXPECT_EQ(engine->preload("toy", Copies::all), keys::KeyStore::Loaded::Source::file);
  EXPECT_EQ(engine->preload("toy", Copies::all), keys::KeyStore::Loaded::Source::store);
  EXPECT_THAT(keys_held(), Each(1u));
  EXPECT_EQ(engine->evict("toy"), 2 * 4096u);
  EXPECT_THAT(keys_held(), Each(0u));
}

TEST_F(EngineDevicesTest, AKeyIsLoadedWhereThereIsRoom) {
  start(with_memory(4000, 5000));  // it takes 4096
  EXPECT_EQ(engine->preload("toy"), keys::KeyStore::Loaded::Source::file);
  EXPECT_THAT(keys_held(), testing::ElementsAre(0u, 1u));
  engine.reset();
  start(with_memory(4000, 4001));
  second_keys.evict("toy");
  test::expect_error(Code::unavailable, "4096 bytes", [&] { engine->preload("toy"); });
}

TEST_F(EngineDevicesTest, AJobThatFitsOnNoneIsRefusedAtOnceSayingWhatItNeedsAndWhatThereIs) {
  constexpr u64 kGiB = u64{1} << 30;
  start(with_memory(kGiB, 2 * kGiB));
  prover.on_prove = second.on_prove = [opened = gate.get_future().share()](const groth16::Control&) { opened.wait(); };
  const auto running = engine->submit(request("running", "5")).id;
  while (engine->view(running).state != JobState::running) std::this_thread::sleep_for(1ms);
  prover.proof_bytes = second.proof_bytes = 3 * kGiB;
  const auto result = run(request("large"));
  EXPECT_EQ(result.code, Code::resource_exhausted);
  EXPECT_THAT(result.message, testing::AllOf(HasSubstr("needs 3.00 GiB"), HasSubstr("has 2.00 GiB")));
  open();
  EXPECT_EQ(engine->wait(running)->state, JobState::completed);
}

TEST_F(EngineDevicesTest, KeysMakeRoomForOthersOnADeviceThatSaysHowMuchItHas) {
  prover.device_memory = {.total = 5000, .urgent = 0};  // of one key
  start({{prover, keys}});
  u64 sector = 0;
  for (const Kind kind : {Kind::porep, Kind::window_post, Kind::porep}) {
    auto job = request("a", "3", ++sector);
    job.input.kind = kind;
    EXPECT_EQ(run(job).state, JobState::completed);
    EXPECT_THAT(keys_held(), testing::ElementsAre(1u));
  }
}

TEST_F(EngineDevicesTest, ARegionInsideAnotherIsCountedOnce) {
  prover.regions.resize(2);
  prover.regions[0].capacity = 1000;
  prover.regions[0].in_use = 700;
  prover.regions[1].capacity = 300;
  prover.regions[1].in_use = 100;
  start_both();
  EXPECT_EQ(engine->devices()[0].reserved_bytes, 1000u);
  EXPECT_EQ(engine->devices()[0].free_bytes, 500u);
  EXPECT_EQ(engine->devices()[1].reserved_bytes, 0u);
}

TEST_F(EngineDevicesTest, AKeyLeavesForAProofOfAnother) {
  prover.proof_bytes = 5000;
  prover.device_memory = {.total = 5000 + 4096 + 2000, .urgent = 0};
  start({{prover, keys}});
  u64 sector = 0;
  for (const Kind kind : {Kind::winning_post, Kind::window_post, Kind::winning_post, Kind::window_post}) {
    auto wanted = request(std::string(name(kind)) + std::to_string(sector), "1");
    wanted.input.kind = kind;
    wanted.input.sector_number = ++sector;
    EXPECT_EQ(run(std::move(wanted)).state, JobState::completed);
    EXPECT_THAT(keys_held(), testing::ElementsAre(1u));
  }
}

TEST_F(EngineDevicesTest, AJobRunsOnTheDeviceThatStreamsTheKeyThatTheOtherCannotHold) {
  prover.device_memory = second.device_memory = {.total = 1000, .urgent = 0};
  prover.proof_bytes = second.proof_bytes = 900;
  second.key_bytes = 0;
  start_both();
  EXPECT_EQ(run(request("a", "3")).state, JobState::completed);
  EXPECT_EQ(second.proofs, 3);
  second.proof_bytes = 1100;
  EXPECT_THAT(run(request("b", "3")).message, testing::AllOf(HasSubstr("needs"), HasSubstr("the largest device has")));
}

TEST_F(EngineDevicesTest, ALargeKeyThatIsStuckDoesNotHoldUpTheOthers) {
  prover.key_bytes = u64{3} << 30;
  std::atomic<bool> is_first = true;
  prover.on_load = [&, opened = gate.get_future().share()] {
    if (is_first.exchange(false)) opened.wait();
  };
  EngineOptions options;
  options.stuck_after = 1ms;
  EngineTest::start(options);
  const auto stuck = engine->submit(request("stuck")).id;
  while (is_first) std::this_thread::sleep_for(1ms);
  auto other = request("other");
  other.input.kind = Kind::window_post;
  EXPECT_EQ(run(other).state, JobState::completed);
  EXPECT_EQ(engine->view(stuck).state, JobState::queued);
  open();
  EXPECT_EQ(engine->wait(stuck)->state, JobState::completed);
}

TEST_F(EngineDevicesTest, NoProofIsMadeBesideOneThatIsStuckUnlessThereIsMemoryForBoth) {
  prover.device_memory = {.total = 4096 + 1500, .urgent = 0};
  prover.proof_bytes = 1000;
  std::atomic<int> proving = 0, most = 0;
  prover.on_prove = [&, opened = gate.get_future().share()](const groth16::Control&) {
    most = std::max(most.load(), ++proving);
    opened.wait();
    --proving;
  };
  EngineOptions options;
  options.stuck_after = 5ms;
  EngineTest::start(options);
  const auto id = engine->submit(request("a", "2")).id;
  while (decoder.witnesses < 2) std::this_thread::sleep_for(1ms);
  const auto busy = [&] {
    const auto workers = engine->snapshot().workers;
    return std::count_if(workers.begin(), workers.end(),
                         [](const auto& each) { return each.state != PartitionView::State::pending; });
  };
  while (busy() > 1) std::this_thread::sleep_for(1ms);  // the second was given back
  open();
  EXPECT_EQ(engine->wait(id)->state, JobState::completed);
  EXPECT_EQ(most, 1);
}

TEST_F(EngineDevicesTest, TheFileOfAKeyThatHasNoRoomYetIsReadAhead) {
  const auto file = directory / "window-post.params";
  test::write_cold(file, 1 << 20);
  keys::WarmFiles warm(2 << 20);
  keys::KeyStore store(
      directory,
      [](std::string_view id) {
        return keys::KeyFileNames{std::string(id) + ".params", ""};
      },
      prover, groth16::KeyCheck::points, {}, &warm);
  start({{prover, store, groth16::DeviceMemory{5000, 0}}});  // of one key
  block_worker();
  auto other = request("other");
  other.input.kind = Kind::window_post;
  const auto id = engine->submit(other).id;
  while (!warm.is_warm(file)) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(engine->view(id).state, JobState::queued);
  open();
  EXPECT_EQ(engine->wait(id)->state, JobState::completed);
}

TEST_F(EngineDevicesTest, TheEndOfTheEngineStopsAllOfThem) {
  prover.prove_time = second.prove_time = 60s;
  start_both().preload("toy");
  const auto id = engine->submit(request("a", "5")).id;
  while (decoder.witnesses < 4) std::this_thread::sleep_for(1ms);
  std::atomic<bool> told = false;
  const auto waiting = engine->when_finished(id, [&](const Engine::Result& result) {
    EXPECT_EQ(result->state, JobState::cancelled);
    told = true;
  });
  engine->stop();
  EXPECT_TRUE(told);
}

TEST_F(EngineDevicesTest, NothingIsLostWithOneUnderLoad) {
  prover.on_prove = [&](const groth16::Control& control) {
    if (prover.proofs >= 20) lose(control);
  };
  start_both().preload("toy");
  std::vector<std::jthread> clients;
  std::atomic<int> completed = 0;
  for (u64 client = 0; client < 4; ++client) {
    clients.emplace_back([&, client] {
      for (u64 k = 0; k < 10; ++k) {
        if (run(request("client", "3", client * 10 + k)).state == JobState::completed) ++completed;
        engine->snapshot();
      }
    });
  }
  clients.clear();
  EXPECT_EQ(completed, 40);
  EXPECT_EQ(engine->devices()[0].state, DeviceState::lost);
}

/// Bits flip now and then: the proof is made again, nobody hears of it.
TEST_F(EngineDevicesTest, AWrongProofIsMadeAgain) {
  start({{prover, keys}});
  prover.wrong_proofs = 1;
  EXPECT_EQ(run(request("a")).state, JobState::completed);
  EXPECT_EQ(prover.proofs, 2);
  EXPECT_EQ(engine->devices()[0].state, DeviceState::active);
}

TEST_F(EngineDevicesTest, ADeviceWhoseProofsAreWrongProvesNoMoreAndItsWorkMoves) {
  start_both(EngineDevice::Role::spare);
  ASSERT_EQ(run(request("before")).state, JobState::completed);
  prover.wrong_proofs = 1000;
  const auto result = run(request("a", "5"));
  EXPECT_EQ(result.state, JobState::completed) << result.message;
  EXPECT_EQ(result.proof, proofs_of_all_toys());
  EXPECT_EQ(engine->devices()[0].state, DeviceState::lost);
  EXPECT_EQ(second.proofs, 5);
}

TEST_F(EngineDevicesTest, AKeyThatNeverProvesIsNotTheDevicesFault) {
  start_both();
  prover.wrong_proofs = second.wrong_proofs = 1000;
  for (const char* id : {"a", "b", "c", "d"}) {
    const auto result = run(request(id));
    EXPECT_EQ(result.state, JobState::failed);
    EXPECT_THAT(result.message, HasSubstr("none verifies"));
  }
  for (const auto& device : engine->devices()) EXPECT_EQ(device.state, DeviceState::active);
}

TEST_F(EngineDevicesTest, TheLastDeviceGoesOnWhateverItsProofs) {
  start({{prover, keys}});
  ASSERT_EQ(run(request("before")).state, JobState::completed);
  prover.wrong_proofs = 4;
  const auto result = run(request("a"));
  EXPECT_EQ(result.state, JobState::failed);
  EXPECT_EQ(run(request("b")).state, JobState::completed);
}

}  // namespace
}  // namespace cuzk::engine
