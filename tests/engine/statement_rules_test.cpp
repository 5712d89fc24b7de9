// What a request says beside its vanilla proofs: every rule, a good request, one thing in it changed, the refusal's words.
#include <gmock/gmock.h>

#include <stop_token>

#include "base/error.h"
#include "engine/statements/kind_decoder.h"
#include "engine/statements/toy_statement.h"
#include "groth16_kinds/golden_input.h"

namespace cuzk::engine {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

class StatementRules : public testing::Test {
 protected:
  void refused(const ProofInput& input, const std::string& words) {
    EXPECT_THAT([&] { KindDecoder(circuits_).decode(input); }, ThrowsMessage<Error>(HasSubstr(words)));
  }
  void accepted(const ProofInput& input) { EXPECT_NO_THROW(KindDecoder(circuits_).decode(input)); }

  CircuitCatalog circuits_;
};

TEST_F(StatementRules, OfAPorep) {
  ProofInput good;
  good.kind = Kind::porep;
  good.vanilla_proof = test::vector_text("sectors/2KiB/s2-v1_1/c1.json.xz");
  good.miner_id = 1000;
  accepted(good);
  ProofInput wrong = good;
  wrong.sector_size = 4096;
  refused(wrong, "sector_size is 4096, but StackedDrg2KiBV1_1 has sectors of 2048 bytes");
  wrong = good;
  wrong.sector_number = 77;
  refused(wrong, "sector_number is 77, but SectorNum is 2");
  wrong = good;
  wrong.miner_id = 1001;
  refused(wrong, "that of miner 1001, sector 2");
  wrong.miner_id = 0;
  accepted(wrong);
}

TEST_F(StatementRules, ReadingEndsWithItsJob) {
  ProofInput porep;
  porep.vanilla_proof = test::vector_text("sectors/2KiB/s2-v1_1/c1.json.xz");
  const auto post = test::post_input(Kind::window_post, "post/2KiB/window-v1_2-3");
  std::stop_source stop;
  stop.request_stop();
  for (const auto& input : {porep, post, test::update_input("update/2KiB/from-data")}) {
    EXPECT_THAT([&] { KindDecoder(circuits_).decode(input, {.stop = stop.get_token()}); },
                ThrowsMessage<Error>(HasSubstr("reading of a request: stopped")));
  }
}

TEST_F(StatementRules, OfAPost) {
  const ProofInput good = test::post_input(Kind::window_post, "post/2KiB/window-v1_2-3");
  accepted(good);
  ProofInput wrong = good;
  wrong.kind = Kind::winning_post;
  refused(wrong, "registered_proof 10 is StackedDrgWindow2KiBV1_2, which is no winning-post");
  wrong = good;
  wrong.sector_size = 8 << 20;
  refused(wrong, "sector_size is 8388608, but StackedDrgWindow2KiBV1_2 has sectors of 2048 bytes");
  wrong = good;
  wrong.registered_proof = 15;
  refused(wrong, "registered PoSt proof 15: expected a number below 15");
  wrong = good;
  wrong.randomness.clear();
  refused(wrong, "randomness: 0 bytes, expected 32");
}

TEST_F(StatementRules, OfAnUpdate) {
  const ProofInput good = test::update_input("update/2KiB/from-data");
  accepted(good);
  ProofInput wrong = good;
  wrong.registered_proof = 5;
  refused(wrong, "registered update proof 5");
  wrong = good;
  wrong.sector_size = 8 << 20;
  refused(wrong, "registered_proof 0 is of sectors of 2KiB, sector_size is 8388608");
  wrong.sector_size = 3000;
  refused(wrong, "there are no sectors of 3000 bytes");
  wrong.sector_size = 1 << 30;  // PoRep alone knows it
  refused(wrong, "have no update proof");
  wrong = good;
  wrong.comm_r_new.pop_back();
  refused(wrong, "comm_r_new: 31 bytes, expected 32");
}

TEST_F(StatementRules, OfAToy) {
  const std::string one = "01" + std::string(62, '0');
  std::string many;
  for (int i = 0; i < 1001; ++i) many += one + "\n";
  const auto refused_toy = [&](const std::string& text, const std::string& words) {
    EXPECT_THAT([&] { ToyStatement(text, circuits_); }, ThrowsMessage<Error>(HasSubstr(words)));
  };
  EXPECT_NO_THROW(ToyStatement(one, circuits_));
  refused_toy("", "there is no x in it");
  refused_toy(one + " 00", "x of partition 1 has 2 characters, expected 64");
  refused_toy(std::string(64, 'f'), "x of partition 0 is not below the field's modulus");
  refused_toy(many, "more than 1000 partitions");
}

}  // namespace
}  // namespace cuzk::engine
