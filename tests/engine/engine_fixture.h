/// What tests of the engine start from: a test's prover and decoder, a directory with the key that they ask for.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

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

}  // namespace cuzk::engine
