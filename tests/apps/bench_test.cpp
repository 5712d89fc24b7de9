// `cuzk-bench`: what it measures, its exit status.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

TEST_F(Bench, WrongUseIsStatus2) {
  EXPECT_EQ(bench({"single", "toy", toy_request(), "--fresh-key", "--partitions", "0"}).status, 2);
  EXPECT_EQ(bench({"single", "abacus", toy_request()}).status, 2);
  EXPECT_EQ(bench({"twice"}).status, 2);
}

TEST_F(Bench, AKeyThatIsNotThereIsNamed) {
  const auto outcome = bench({"single", "toy", toy_request(), "--keys", folder / "none", "--device", "cpu"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("toy.params"));
}

}  // namespace
}  // namespace cuzk
