// `cuzk seal`, `post`, `update`, `sparse`: their files are what the other commands take.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/process.h"
#include "support/vectors.h"

namespace cuzk {
namespace {

using nlohmann::json;
using test::Outcome;
using testing::HasSubstr;

class SealingCommands : public testing::Test {
 protected:
  static Outcome cuzk(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), CUZK_PROGRAM);
    return test::run(arguments);
  }

  /// Runs a command that writes `file`, and gives what it says.
  json make(std::vector<std::string> arguments) {
    for (const std::string word : {"--out", file.c_str(), "--json"}) arguments.push_back(word);
    const auto outcome = cuzk(arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return json::parse(outcome.out, nullptr, false);
  }

  /// Whether a request is accepted and its circuit satisfied.
  void expect_satisfied(const std::string& kind) {
    const auto outcome = cuzk({"witness", kind, file, "--json"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr(R"("satisfied":true)"));
  }

  test::TemporaryFolder folder;
  const std::string file = folder / "request.json";
};

TEST_F(SealingCommands, HelpHasAnExample) {
  for (const std::string command : {"seal", "post", "update", "sparse"})
    EXPECT_THAT(cuzk({command, "--help"}).out, HasSubstr("Example: cuzk " + command));
}

TEST_F(SealingCommands, SealWritesTheRequestOfTheVectors) {
  const auto& sector = test::vector_json("sectors/2KiB/s2-v1_1/sector.json");
  const auto said = make({"seal", "--size", "2k", "--counter", "2", "--sector-number", "2", "--ticket",
                          sector.at("ticket"), "--seed", sector.at("seed")});
  EXPECT_EQ(said.at("comm_r"), sector.at("comm_r"));
  EXPECT_TRUE(test::text_of(file) == test::vector_text("sectors/2KiB/s2-v1_1/c1.json.xz"));
}

TEST_F(SealingCommands, SealFillsInWhatIsNotSaid) {
  make({"seal"});
  expect_satisfied("porep");
}

TEST_F(SealingCommands, SparseWritesTheRequestOfTheVectors) {
  const auto said = make({"sparse", "winning", "--size", "32g", "--seed", "0"});
  const auto request = json::parse(test::text_of(file));
  const auto& expected = test::vector_json("sparse/winning-32g.meta.json");
  EXPECT_EQ(said.at("bytes"), test::text_of(file).size());
  EXPECT_EQ(request.at("randomness"), expected.at("randomness"));
  EXPECT_EQ(request.at("registered_proof"), 3);
  EXPECT_EQ(request.at("vanilla_proofs").size(), 1u);
  EXPECT_EQ(request.at("vanilla_proofs")[0].get<std::string>().size(),
            expected.at("vanilla_proof_bytes_each").get<std::size_t>() / 3 * 4);
}

TEST_F(SealingCommands, SparsePorepIsSatisfied) {
  make({"sparse", "porep", "--size", "2k", "--seed", "5", "--filled"});
  expect_satisfied("porep");
}

TEST_F(SealingCommands, PostAndUpdateAreSatisfied) {
  EXPECT_EQ(make({"post", "window", "--sectors", "3", "--counter", "1"}).at("partitions"), 2);
  expect_satisfied("window");
  make({"post", "window", "--v1", "--sectors", "3"});
  expect_satisfied("window");
  make({"post", "winning"});
  expect_satisfied("winning");
  make({"update", "--counter", "1", "--new-counter", "2"});
  expect_satisfied("snap");
  make({"sparse", "snap", "--size", "16k"});
  expect_satisfied("snap");
}

TEST_F(SealingCommands, WrongUseIsStatus2) {
  EXPECT_EQ(cuzk({"seal", "--size", "3k", "--out", file}).status, 2);
  EXPECT_EQ(cuzk({"seal", "--ticket", "00", "--out", file}).status, 2);
  EXPECT_EQ(cuzk({"seal"}).status, 2);
  EXPECT_EQ(cuzk({"post", "winning", "--sectors", "2", "--out", file}).status, 2);
  EXPECT_EQ(cuzk({"sparse", "nonsense", "--size", "2k", "--out", file}).status, 2);
}

TEST_F(SealingCommands, TheFileIsTriedBeforeTheWork) {
  const std::string out = folder / "no/request";  // each would fail for another reason once it works
  const std::vector<std::vector<std::string>> commands{
      {"seal", "--size", "32g"}, {"post", "winning", "--size", "32g"}, {"update", "--size", "32g"}};
  for (auto command : commands) {
    command.insert(command.end(), {"--out", out});
    const auto outcome = cuzk(command);
    EXPECT_EQ(outcome.status, 1) << command[0];
    EXPECT_THAT(outcome.err, HasSubstr(out)) << command[0];
  }
  EXPECT_THAT(cuzk({"sparse", "winning", "--size", "2k", "--out", out}).err, HasSubstr(out));
}

TEST_F(SealingCommands, WorkThatFailsIsStatus1AndSaysWhy) {
  const auto large = cuzk({"seal", "--size", "32g", "--out", file});
  EXPECT_EQ(large.status, 1);
  EXPECT_THAT(large.err, HasSubstr("sparse"));
  const auto unknown = cuzk({"post", "window", "--size", "4k", "--out", file});
  EXPECT_EQ(unknown.status, 1);
  EXPECT_THAT(unknown.err, HasSubstr("StackedDrgWindow4KiBV1_2"));
}

}  // namespace
}  // namespace cuzk
