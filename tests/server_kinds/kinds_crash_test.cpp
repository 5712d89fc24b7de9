// Real proofs of several kinds at once by a daemon that is killed at random moments.
#include <sstream>

#include "groth16_kinds/golden_input.h"
#include "server/crash_fixture.h"
#include "server/kept_keys.h"
#include "server/messages.h"

namespace cuzk::server {
namespace {

using test::Kind;
using test::ProofInput;

/// What is asked for, by the circuit that proves it. All but the first two take a large key and CPU-seconds a proof.
const std::multimap<std::string, ProofInput>& inputs() {
  static const std::multimap<std::string, ProofInput> all = [] {
    ProofInput porep;
    porep.vanilla_proof = test::vector_text("sectors/2KiB/s2-v1_1/c1.json.xz");
    return std::multimap<std::string, ProofInput>{
        {"winning-2k", test::post_input(Kind::winning_post, "post/2KiB/winning-1")},
        {"winning-2k", test::post_input(Kind::winning_post, "post/2KiB/winning-2")},
        {"wpost-2k", test::post_input(Kind::window_post, "post/2KiB/window-v1_2-3")},
        {"wpost-2k", test::post_input(Kind::window_post, "post/2KiB/window-v1-2")},
        {"snap-2k", test::update_input("update/2KiB/from-data")},
        {"porep-2k", porep}};
  }();
  return all;
}

class KindsCrashTest : public CrashFixture {
 protected:
  KindsCrashTest() {
    takes_toys = false;
    for (const auto& circuit : circuits()) {
      take_key(circuit, folder / "keys");
      for (auto [input, end] = inputs().equal_range(circuit); input != end; ++input) load_.push_back(input->second);
    }
  }

  /// CUZK_KILL_CIRCUITS, such as "winning-2k wpost-2k snap-2k porep-2k"; else those with small keys.
  static std::vector<std::string> circuits() {
    const char* text = std::getenv("CUZK_KILL_CIRCUITS");
    std::istringstream words(text == nullptr ? "winning-2k wpost-2k" : text);
    return {std::istream_iterator<std::string>(words), {}};
  }

  void submit_any() {
    ProofInput input = load_.at(random() % load_.size());
    submit(request_message(std::move(input), "job " + std::to_string(accepted.size())));
  }

 private:
  std::vector<ProofInput> load_;
};

TEST_F(KindsCrashTest, NothingAcceptedIsLostOrProvedAgainAtRandomMoments) {
  for (int round = 0; round < kills(4); ++round) {
    start();
    if (round != 0 && round % 4 == 0) expect_all_proved();  // what runs at a fifth end would be given up
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(random() % 2000);
    for (int i = 0; i < 3; ++i) submit_any();
    const auto open = untold();
    while (std::chrono::steady_clock::now() < end) look_at_one(1 + random() % 100);
    EXPECT_LE(client->status().total_proofs_completed(), open) << "round " << round;
    kill();
  }
  start();
  const auto open = untold();
  expect_all_proved();
  EXPECT_LE(client->status().total_proofs_completed(), open) << "what was told is not proved again";
}

}  // namespace
}  // namespace cuzk::server
