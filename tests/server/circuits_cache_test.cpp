// circuits.cache of the daemon: a compiled circuit is kept there, taken again by the next daemon, and one that is damaged
// or stale is made anew, never believed.
#include <iterator>

#include "hash/sha256.h"
#include "r1cs/circuit_file.h"
#include "r1cs/toy_circuit.h"
#include "server/daemon_fixture.h"

namespace cuzk::server {
namespace {

using testing::HasSubstr;
using testing::Not;

class CircuitsCache : public DaemonTest {
 protected:
  CircuitsCache() { configuration = "[circuits]\ncache = \"" + (folder / "circuits").string() + "\"\n"; }

  std::filesystem::path file() const { return folder / "circuits" / "toy.circuit"; }

  std::string bytes() const {
    std::ifstream stream(file(), std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  void put(const std::string& text) const { std::ofstream(file(), std::ios::binary) << text; }

  /// A daemon's life: it proves, which it verifies itself, and ends. `log()` is of this one.
  void prove_once() {
    start({"--log-level", "debug"});
    const auto answer = client->prove(toy("a"));
    EXPECT_EQ(answer.status(), v1::AwaitProofResponse::COMPLETED) << answer.error_message();
    daemon->signal(SIGTERM);
    EXPECT_EQ(daemon->wait(), 0) << log();
  }
};

TEST_F(CircuitsCache, AFileAppearsAndIsTakenAgain) {
  prove_once();
  ASSERT_TRUE(std::filesystem::exists(file())) << log();
  const auto written = std::filesystem::last_write_time(file());
  prove_once();
  EXPECT_THAT(log(), Not(HasSubstr("toy.circuit")));
  EXPECT_EQ(std::filesystem::last_write_time(file()), written);
}

TEST_F(CircuitsCache, ADamagedFileIsMadeAnew) {
  prove_once();
  const std::string good = bytes();
  for (const std::string& bad : {good.substr(0, good.size() / 2), std::string("nonsense"), std::string()}) {
    put(bad);
    prove_once();
    EXPECT_THAT(log(), HasSubstr("the circuit is compiled again"));
    EXPECT_EQ(bytes(), good);
  }
}

TEST_F(CircuitsCache, AFileWithAFlippedBitIsMadeAnew) {
  prove_once();
  const std::string good = bytes();
  std::string bad = good;
  bad[bad.size() - 5] ^= 1;
  put(bad);
  prove_once();
  EXPECT_THAT(log(), HasSubstr("the circuit is compiled again"));
  EXPECT_EQ(bytes(), good);
}

TEST_F(CircuitsCache, AFileOfAnotherProgramIsMadeAnew) {
  prove_once();
  const std::string good = bytes();
  r1cs::write_circuit(file(), r1cs::compile_toy(), {Digest{1, 2, 3}, {}});
  prove_once();
  EXPECT_THAT(log(), HasSubstr("another version of this program; the circuit is compiled again"));
  EXPECT_EQ(bytes(), good);
}

TEST_F(CircuitsCache, OffKeepsNoFile) {
  configuration = "[circuits]\ncache = \"off\"\n";
  prove_once();
  EXPECT_FALSE(std::filesystem::exists(folder / "circuits"));
}

}  // namespace
}  // namespace cuzk::server
