/// What tests of the engine start from: a test's prover and decoder, a directory with the key that they ask for.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <string>
#include <thread>

#include "base/log.h"
#include "engine/engine.h"
#include "engine/test_prover.h"

namespace cuzk::engine {

class EngineFixture : public testing::Test {
 protected:
  EngineFixture() : directory(std::filesystem::path(testing::TempDir()) / ("engine_" + std::to_string(::getpid()))) {
    configure_log(spdlog::level::off, LogFormat::text);
    std::filesystem::create_directories(directory);
    std::ofstream(directory / "toy.params") << "key";
  }
  ~EngineFixture() override { std::filesystem::remove_all(directory); }

  static ProofRequest request(const std::string& id, const std::string& body = "1", u64 sector = 0) {
    ProofRequest result;
    result.request_id = id;
    result.input.vanilla_proof = body;
    result.input.sector_number = sector;
    return result;
  }

  std::filesystem::path directory;
  TestDecoder decoder;
  TestProver prover;
  keys::KeyStore keys{directory, [](std::string_view) { return keys::KeyFileNames{"toy.params", "toy.vk"}; }, prover};
};

/// An engine with a test decoder and prover, that does what the test asks for.
class EngineTest : public EngineFixture {
 protected:
  ~EngineTest() override { engine.reset(); }

  Engine& start(EngineOptions options = {}) {
    engine = std::make_unique<Engine>(decoder, std::vector<EngineDevice>{{prover, keys}}, options);
    return *engine;
  }

  ProofRequest urgent(Priority priority, const std::string& body, u64 sector) {
    auto result = request("urgent", body, sector);
    result.priority = priority;
    return result;
  }

  JobResult run(ProofRequest what) { return *engine->wait(engine->submit(std::move(what)).id); }

  /// Keeps the device busy until open() is called: one partition is proved, the next has its witness.
  void block_worker() {
    prover.on_prove = [opened = gate.get_future().share()](const groth16::Control&) { opened.wait(); };
    for (const u64 sector : {u64{999}, u64{998}}) {
      const auto begun = decoder.witnesses.load();
      engine->submit(request("blocker", "1", sector));
      while (decoder.witnesses == begun) std::this_thread::sleep_for(1ms);
    }
  }

  void wait_until_read(const JobId& id) {
    while (engine->view(id).partitions == 0) std::this_thread::sleep_for(1ms);
    while (engine->view(id).state == JobState::queued && engine->view(id).stage != "waiting for its turn") {
      std::this_thread::sleep_for(1ms);
    }
  }
  void open() { gate.set_value(); }

  std::promise<void> gate;
  std::unique_ptr<Engine> engine;
};

}  // namespace cuzk::engine
