// `cuzk verify` of a proof of several partitions: all must hold, and the one that does not is named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "apps/process.h"
#include "base/hex.h"
#include "filecoin/base64.h"
#include "support/vectors.h"

namespace cuzk {
namespace {

using nlohmann::json;
using testing::HasSubstr;

const std::string kInput = "post/2KiB/window-v1_2-3/";  // three sectors in two partitions
constexpr std::size_t kDigits = 2 * 192;                // of one partition's proof

class Verify : public testing::Test {
 protected:
  Verify() {
    const auto& key = test::vector_json("setup/window-2k.json");
    const auto bytes = from_hex(key.at("vk").at("bytes").get<std::string>());
    write(key.at("vk_file"), {bytes.begin(), bytes.end()});
    write("request.json", request().dump());
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder / name, std::ios::binary) << text;
  }

  static json request() {
    const auto& item = test::vector_json(kInput + "case.json");
    json made{{"kind", "window"},
              {"sector_size", item.at("sector_size")},
              {"registered_proof", item.at("registered_proof_id")},
              {"randomness", item.at("randomness")}};
    for (const auto& sector : item.at("sectors"))
      made["vanilla_proofs"].push_back(
          filecoin::encode_base64(test::vector_bytes(kInput + sector.at("vanilla_proof").get<std::string>())));
    return made;
  }

  /// What `cuzk verify` says of a proof, in hexadecimal digits; its exit status must agree.
  json verify(const std::string& proof) const {
    write("proof", proof);
    const auto outcome = test::run({CUZK_PROGRAM, "verify", "window", folder / "request.json", folder / "proof",
                                    "--keys", folder.string(), "--json"});
    const json said = json::parse(outcome.out, nullptr, false);
    EXPECT_TRUE(said.is_object()) << outcome.err;
    if (said.is_object()) {
      EXPECT_EQ(outcome.status, said.at("valid").get<bool>() ? 0 : 1);
    }
    return said;
  }

  void expect_refused(const std::string& proof, const std::string& reason) const {
    const json said = verify(proof);
    EXPECT_EQ(said.at("valid"), false);
    EXPECT_THAT(said.at("reason").get<std::string>(), HasSubstr(reason));
  }

  static std::string partition(std::size_t number) {
    return test::vector_json("proofs/window-2k.window-v1_2-3.json")
        .at("partitions")[number]
        .at("proofs")[0]
        .at("proof");
  }

  test::TemporaryFolder folder;
};

TEST_F(Verify, AllPartitionsHold) { EXPECT_EQ(verify(partition(0) + partition(1)).at("valid"), true); }

TEST_F(Verify, ThePartitionThatDoesNotHoldIsNamed) {
  expect_refused(partition(0) + partition(0), "partition 1 of 2");
  expect_refused(partition(1) + partition(1), "partition 0 of 2");
}

TEST_F(Verify, PartitionsInAnotherOrderDoNotHold) { expect_refused(partition(1) + partition(0), "partition 0 of 2"); }

TEST_F(Verify, PartsOfTwoProofsDoNotMakeOne) {
  const std::size_t a = 2 * 48;  // digits of A
  expect_refused(partition(0) + partition(0).substr(0, a) + partition(1).substr(a), "partition 1 of 2");
}

TEST_F(Verify, PartitionsThatAreMissingOrTooManyAreCounted) {
  expect_refused(partition(0), "it has 1 partitions, expected 2");
  expect_refused(partition(0) + partition(1) + partition(1), "it has 3 partitions, expected 2");
  expect_refused((partition(0) + partition(1)).substr(0, 2 * kDigits - 2), "383");
}

TEST_F(Verify, APartitionThatIsNoProofIsNamed) {
  std::string second = partition(1);
  second[1] = second[1] == '0' ? '1' : '0';
  expect_refused(partition(0) + second, "partition 1");
  expect_refused(partition(0) + "c0" + std::string(kDigits - 2, '0'), "partition 1");  // A is the point at infinity
}

TEST_F(Verify, AnotherRequestIsAnotherStatement) {
  json other = request();
  other["vanilla_proofs"].erase(2);
  write("request.json", other.dump());
  expect_refused(partition(0) + partition(1), "it has 2 partitions, expected 1");
  EXPECT_EQ(verify(partition(0)).at("valid"), true) << "the first partition has the same two sectors";
}

}  // namespace
}  // namespace cuzk
