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
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;

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

/// The result of a command, which must be done, by way of a file.
json result_of(std::vector<std::string> arguments) {
  const test::TemporaryFolder folder;
  arguments.insert(arguments.begin(), CUZK_BENCH_PROGRAM);
  arguments.push_back("--json=" + (folder / "result.json").string());
  const auto outcome = test::run(arguments);
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  return json::parse(test::text_of(folder / "result.json"), nullptr, false);
}

std::vector<std::string> names_of(const json& result) {
  std::vector<std::string> names;
  for (const json& each : result.at("measurements")) names.push_back(each.at("name"));
  return names;
}

TEST_F(Bench, EveryResultSaysWhereItWasMeasured) {
  const json result = result_of({"ntt", "--from", "4", "--to", "6", "--samples", "7", "--warmup", "2"});
  EXPECT_EQ(result.at("schema"), "cuzk-bench/1");
  EXPECT_EQ(result.at("command"), "ntt");
  EXPECT_EQ(result.at("warmup"), 2);
  for (const char* const entry :
       {"cpu", "cpu.path", "cpu.threads", "memory", "program", "build.compiler", "system", "load"})
    EXPECT_TRUE(result.at("environment").contains(entry)) << entry;
  ASSERT_EQ(result.at("measurements").size(), 8u) << "two directions, wall and CPU time, two sizes";
  for (const json& each : result.at("measurements")) {
    EXPECT_EQ(each.at("samples").size(), 7u);
    EXPECT_EQ(each.at("size_of"), "points");
  }
  ASSERT_FALSE(result.at("series").empty());
  EXPECT_EQ(result.at("series")[0].at("name"), "resident memory");
}

TEST_F(Bench, ArithmeticAtSmallSizes) {
  EXPECT_THAT(
      names_of(result_of({"msm", "--from", "3", "--to", "3", "--samples", "1", "--kind", "product,bits,fixed"})),
      IsSupersetOf({"msm.g1", "msm.g2", "bits.g1", "bits.g2", "fixed.g1", "fixed.g2", "msm.g1.cpu"}));
  EXPECT_THAT(names_of(result_of({"ntt", "--from", "3", "--to", "3", "--samples", "1", "--quotient"})),
              IsSupersetOf({"ntt.forward", "ntt.coset_inverse", "quotient"}));
  EXPECT_THAT(names_of(result_of({"field", "--operations", "10", "--samples", "1"})),
              IsSupersetOf({"fr.multiply", "fp.square", "fp2.invert", "g1.add", "g2.multiply"}));
}

TEST_F(Bench, WhatComesBeforeAProof) {
  const std::string request = toy_request();
  EXPECT_THAT(names_of(result_of({"synth-only", "toy", request, "--samples", "1"})),
              IsSupersetOf({"synth.decode", "synth.witness", "synth.evaluate", "synth.memory"}));
  EXPECT_THAT(names_of(result_of({"pce-bench", "toy", request, "--samples", "1"})),
              IsSupersetOf({"pce.build", "pce.store", "pce.load", "pce.programs", "pce.evaluate", "pce.size"}));
  const json pipelines = result_of({"pce-pipeline", "toy", request, "--samples", "1", "--parallel", "1,3"});
  EXPECT_THAT(names_of(pipelines),
              ElementsAre("pipeline.throughput", "pipeline.memory", "pipeline.throughput", "pipeline.memory"));
  EXPECT_EQ(pipelines.at("measurements")[2].at("size"), 3);
}

TEST_F(Bench, ThroughputByTheNumberAtATime) {
  const std::string request = toy_request();
  const json batch =
      result_of({"batch", "toy", request, "--fresh-key", "--device", "cpu", "-n", "3", "-c", "1,2", "--samples", "1"});
  EXPECT_THAT(names_of(batch), IsSupersetOf({"batch.throughput", "batch.latency.p50", "batch.latency.p99"}));
  EXPECT_EQ(batch.at("measurements")[0].at("better"), "more");
  const json slots = result_of(
      {"slotted-bench", "toy", request, "--fresh-key", "--device", "cpu", "--slots", "1,2", "--samples", "1"});
  EXPECT_THAT(names_of(slots), IsSupersetOf({"slots.partition", "slots.throughput", "slots.memory"}));
}

TEST_F(Bench, AProofsStagesAndItsTrace) {
  const std::string trace = folder / "trace.json";
  const json result = result_of({"single", "toy", toy_request(), "--fresh-key", "--device", "cpu", "--trace", trace});
  ASSERT_FALSE(result.at("stages").empty());
  EXPECT_THAT(result.at("stages")[0].at("lane").get<std::string>(), HasSubstr("host"));
  EXPECT_FALSE(json::parse(test::text_of(trace)).at("traceEvents").empty());
}

TEST_F(Bench, AFileIsABaseline) {
  const std::string file = folder / "old.json";
  const std::vector<std::string> command{"ntt", "--from", "6", "--to", "6", "--samples", "6"};
  auto first = command, second = command;
  first.insert(first.end(), {"--json", file});
  ASSERT_EQ(bench(first).status, 0);
  second.insert(second.end(), {"--against", file});
  const json result = result_of(second);
  EXPECT_EQ(result.at("measurements")[0].at("baseline").at("of"), file);
  EXPECT_TRUE(result.at("measurements")[0].at("comparison").contains("verdict"));
}

TEST_F(Bench, AProgramIsMeasuredInTurn) {
  const json result =
      result_of({"ntt", "--from", "6", "--to", "6", "--samples", "1", "--against", "self", "--rounds", "2"});
  const json& first = result.at("measurements")[0];
  EXPECT_EQ(first.at("samples").size(), 2u);
  EXPECT_EQ(first.at("baseline").at("samples").size(), 2u);
  EXPECT_EQ(first.at("comparison").at("verdict"), "too few samples");
}

TEST_F(Bench, ReportsJoinResults) {
  const std::string one = folder / "one.json", two = folder / "two.json", page = folder / "page.html";
  ASSERT_EQ(bench({"ntt", "--from", "4", "--to", "4", "--samples", "2", "--json", one}).status, 0);
  ASSERT_EQ(bench({"field", "--operations", "10", "--samples", "2", "--json", two}).status, 0);
  const auto outcome =
      bench({"report", one, two, "--html", page, "--csv", folder / "all.csv", "--json", folder / "both.json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("ntt.forward"), HasSubstr("fp.multiply")));
  EXPECT_THAT(test::text_of(page), HasSubstr("cuzk-bench ntt, field"));
  EXPECT_THAT(test::text_of(folder / "all.csv"), HasSubstr("field,fp.multiply,ns,,new,0,"));
  EXPECT_EQ(bench({"report", folder / "both.json"}).status, 0);
}

TEST_F(Bench, AblateSaysHowManyRoundsAVerdictTakes) {
  const std::vector<std::string> command{"ablate", "toy",       toy_request(), "--fresh-key",  "--device",
                                         "cpu",    "--without", "E2",          "--partitions", "1"};
  auto few = command;
  few.insert(few.end(), {"--rounds", "2"});
  const auto outcome = bench(few);
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("too few for a verdict on 1 variants, which takes 6"));
  EXPECT_THAT(outcome.out, HasSubstr("| E2 |"));
  EXPECT_THAT(outcome.out, HasSubstr("too few samples: 2, at least 6 are needed"));
  EXPECT_EQ(result_of(command).at("variants")[1].at("rounds"), 6);
}

TEST_F(Bench, WhatCannotBeDoneHereSaysSo) {
  const auto outcome = bench({"msm", "--device", "cuda", "--from", "3", "--to", "3"});
  EXPECT_THAT(outcome.status == 0 ? "--device cuda: done" : outcome.err, HasSubstr("--device cuda: "));
  EXPECT_THAT(bench({"ntt", "--from", "4", "--to", "4", "--without", "abc"}).err, HasSubstr("no optimization 'abc'"));
  EXPECT_THAT(bench({"ntt", "--against", folder / "none"}).err, HasSubstr("no such file"));
  EXPECT_THAT(bench({"ntt", "--json", folder / "none/x"}).err, HasSubstr("cannot be written"));
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
