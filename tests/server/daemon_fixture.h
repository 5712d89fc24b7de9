/// A daemon of a test's own: the real program on a unix socket, with a toy key, in a folder that goes with the test.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "apps/process.h"
#include "base/error.h"
#include "base/hex.h"
#include "server/client.h"
#include "support/vectors.h"

namespace cuzk::server {

class DaemonTest : public testing::Test {
 protected:
  DaemonTest() {
    std::filesystem::create_directory(folder / "keys");
    write_key(key_bytes());
  }

  static std::vector<u8> key_bytes() {
    return from_hex(test::vector_json("setup/toy.json")["params"]["bytes"].get<std::string>());
  }
  void write_key(const std::vector<u8>& bytes) const {
    std::ofstream file(folder / "keys/toy.params", std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }

  std::string address() const { return "unix://" + (folder / "s").string(); }
  std::string log() const { return test::text_of(folder / "log"); }

  /// Starts the daemon and waits until it answers.
  Client& start(const std::vector<std::string>& more = {}) {
    std::ofstream(folder / "cuzk.toml") << "[srs]\nparam_cache = \"" << (folder / "keys").string() << "\"\n"
                                        << configuration;
    std::vector<std::string> command{CUZK_PROGRAM,         "serve", "-c",
                                     folder / "cuzk.toml", "-l",    listen.empty() ? address() : listen};
    if (takes_toys) command.emplace_back("--insecure-toys");
    command.insert(command.end(), more.begin(), more.end());
    daemon = std::make_unique<test::Process>(command, folder / "out", folder / "log");
    client = std::make_unique<Client>(address());
    // A loaded machine may need long to start a program; one that has ended will not answer.
    for (int i = 0; i < 2400 && daemon->runs() && !answers(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_TRUE(answers()) << log();
    return *client;
  }

  bool answers() {
    try {
      if (!std::filesystem::exists(folder / "s")) return false;
      client->status();
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  /// The request for x = 3 + partition of the vectors, as PoRep with a toy inside.
  static v1::SubmitProofRequest toy(const std::string& request_id, std::size_t partition = 0) {
    v1::SubmitProofRequest request;
    request.set_request_id(request_id);
    request.set_proof_kind(v1::POREP_SEAL_COMMIT);
    request.set_vanilla_proof(test::vector_json("proofs/toy.json")["x"][partition].get<std::string>());
    return request;
  }

  /// Runs `work`, which must throw an Error with this code.
  template <class Work>
  static std::string error_of(Code code, Work&& work) {
    try {
      work();
    } catch (const Error& error) {
      EXPECT_EQ(name(error.code()), name(code)) << error.what();
      return error.what();
    }
    ADD_FAILURE() << "no error";
    return "";
  }

  test::TemporaryFolder folder;
  std::string listen;         ///< where it is not address() alone
  std::string configuration;  ///< more of the TOML file
  bool takes_toys = true;     ///< else what is no JSON is refused as in a real installation
  std::unique_ptr<test::Process> daemon;
  std::unique_ptr<Client> client;
};

}  // namespace cuzk::server
