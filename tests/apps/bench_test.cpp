// `cuzk-bench`: what it measures, its exit status.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "apps/process.h"
#include "support/vectors.h"

namespace cuzk {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class Bench : public testing::Test {
 protected:
  static test::Outcome bench(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), CUZK_BENCH_PROGRAM);
    return test::run(arguments);
  }
  std::string toy_request() const {
    const std::string path = folder / "request";
    std::ofstream(path) << test::vector_json("proofs/toy.json")["x"][0].get<std::string>();
    return path;
  }

  test::TemporaryFolder folder;
};

TEST_F(Bench, ProvesWithAFreshKeyAndTellsEachStage) {
  const auto outcome = bench({"single", "toy", toy_request(), "--fresh-key", "--device", "cpu", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const json measured = json::parse(outcome.out);
  EXPECT_EQ(measured.at("verified"), true);
  EXPECT_EQ(measured.at("partitions"), 1);
  for (const char* const stage : {"partition", "witness", "evaluate", "quotient", "msm_h", "msm_b_g2", "verify"})
    EXPECT_GE(measured.at("partition_ms").at(stage).get<double>(), 0) << stage;
}

/// One flag of `cuzk` for each field of a request beside its proofs.
std::vector<std::string> flags_of(const json& fields) {
  std::vector<std::string> flags;
  for (const auto& [field, value] : fields.items()) {
    if (field == "kind") continue;
    std::string flag = "--" + field;
    std::ranges::replace(flag, '_', '-');
    flags.push_back(flag);
    flags.push_back(value.is_string() ? value.get<std::string>() : value.dump());
  }
  return flags;
}

TEST_F(Bench, VanillaProofsAreTakenWithTheFieldsBesideThem) {
  struct Case {
    std::string name, word;
    std::size_t proofs;
  };
  for (const auto& [name, word, proofs] :
       {Case{"winning-post", "winning", 1}, Case{"window-post", "window", 2}, Case{"snap-prove", "snap", 1}}) {
    const std::string file = folder / name;
    const auto made = bench({"gen-vanilla", name, "--size", "2k", "--seed", "3", "--out", file, "--json"});
    ASSERT_EQ(made.status, 0) << made.err;
    const json said = json::parse(made.out);
    EXPECT_EQ(json::parse(test::text_of(file)).size(), proofs) << name;
    EXPECT_EQ(said.at("proofs"), proofs) << name;
    std::vector<std::string> command{CUZK_PROGRAM, "witness", word, file, "--json"};
    for (const auto& flag : flags_of(said.at("fields"))) command.push_back(flag);
    const auto outcome = test::run(command);
    EXPECT_THAT(outcome.out, HasSubstr(R"("satisfied":true)")) << name << outcome.err;
  }
}

TEST_F(Bench, VanillaProofsAreThoseOfASparseRequest) {
  const std::string file = folder / "array", request = folder / "request";
  ASSERT_EQ(bench({"gen-vanilla", "window-post", "--size", "2k", "--sectors", "3", "--output", file}).status, 0);
  ASSERT_EQ(test::run({CUZK_PROGRAM, "sparse", "window", "--size", "2k", "--sectors", "3", "--out", request}).status,
            0);
  EXPECT_EQ(json::parse(test::text_of(request)).at("vanilla_proofs"), json::parse(test::text_of(file)));
}

TEST_F(Bench, WrongUseIsStatus2) {
  EXPECT_EQ(bench({"single", "toy", toy_request(), "--fresh-key", "--partitions", "0"}).status, 2);
  EXPECT_EQ(bench({"single", "abacus", toy_request()}).status, 2);
  EXPECT_EQ(bench({"twice"}).status, 2);
  EXPECT_EQ(bench({"gen-vanilla"}).status, 2);
  EXPECT_EQ(bench({"gen-vanilla", "porep"}).status, 2);
  EXPECT_EQ(bench({"gen-vanilla", "window-post", "--size", "3k", "--out", folder / "x"}).status, 2);
}

TEST_F(Bench, AKeyThatIsNotThereIsNamed) {
  const auto outcome = bench({"single", "toy", toy_request(), "--keys", folder / "none", "--device", "cpu"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("toy.params"));
}

}  // namespace
}  // namespace cuzk
