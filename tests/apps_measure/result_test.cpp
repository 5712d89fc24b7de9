#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "base/error.h"
#include "measure/in_turn.h"
#include "measure/report.h"
#include "measure/result_json.h"

namespace cuzk::measure {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kNasty = "</script><script>alert(1)</script> & \"quotes\" \\ \n é";

Result example() {
  Result result{.command = "msm",
                .arguments = {"msm", "--from", "4", kNasty},
                .begun = "2026-01-31T12:00:00Z",
                .environment = {{"cpu", "a processor"}, {"load", "0.1"}},
                .without = {"E2"},
                .warmup = 2,
                .measurements = {},
                .stages = {},
                .series = {},
                .figures = {}};
  result.figures.add("knee", 3.5);
  result.measurements.push_back(
      {.name = "msm.g1", .unit = "ms", .size = 1048576, .size_of = "points", .samples = {1.5, 2.5, 3, 0.1}});
  result.measurements.push_back({.name = "rate",
                                 .unit = "proofs/s",
                                 .better = Better::more,
                                 .samples = {5, 6, 7, 8, 9, 10},
                                 .baseline = Baseline{"old.json", Baseline::Taken::in_turn, {1, 1, 1, 1, 1, 1}}});
  result.stages = {{"witness", "host 1", 0, 0, 1.5}, {"msm_h", "device", {}, 1.5, 20}};
  result.series = {{"resident memory", "MB", {{0, 10}, {0.5, 20}}}};
  return result;
}

TEST(ResultJson, ComesBackAsItWas) {
  const Result result = example(), back = result_from_json(to_json(result));
  EXPECT_EQ(back.command, result.command);
  EXPECT_EQ(back.arguments, result.arguments);
  EXPECT_EQ(back.begun, result.begun);
  EXPECT_EQ(back.environment, result.environment);
  EXPECT_EQ(back.without, result.without);
  EXPECT_EQ(back.warmup, result.warmup);
  ASSERT_EQ(back.measurements.size(), 2u);
  EXPECT_EQ(back.measurements[0].samples, result.measurements[0].samples);
  EXPECT_EQ(back.measurements[0].size, 1048576);
  EXPECT_EQ(back.measurements[0].size_of, "points");
  EXPECT_EQ(back.measurements[1].better, Better::more);
  EXPECT_EQ(back.measurements[1].baseline->samples, result.measurements[1].baseline->samples);
  EXPECT_EQ(back.measurements[1].baseline->taken, Baseline::Taken::in_turn);
  ASSERT_EQ(back.stages.size(), 2u);
  EXPECT_EQ(back.stages[0].item, 0u);
  EXPECT_EQ(back.stages[1].item, std::nullopt);
  EXPECT_EQ(back.series[0].points, result.series[0].points);
}

TEST(ResultJson, SaysSummaryVerdictAndMoreFields) {
  const json object = json::parse(to_json(example()));
  EXPECT_EQ(object.at("schema"), "cuzk-bench/1");
  EXPECT_EQ(object.at("knee"), 3.5);
  EXPECT_EQ(object.at("measurements")[0].at("summary").at("count"), 4);
  for (const char* const field : {"median", "p50", "p90", "p99", "min", "max", "spread"})
    EXPECT_TRUE(object.at("measurements")[0].at("summary").contains(field)) << field;
  EXPECT_EQ(object.at("measurements")[1].at("comparison").at("verdict"), "more");
}

TEST(ResultJson, WhatIsNoneNamesTheField) {
  const auto error_of = [](const json& object) {
    try {
      result_from_json(object.dump());
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  const json good = json::parse(to_json(example()));
  json bad = good;
  bad["schema"] = "other/1";
  EXPECT_THAT(error_of(bad), HasSubstr("schema: it is 'other/1'"));
  bad = good;
  bad["measurements"][0]["samples"][1] = "fast";
  EXPECT_THAT(error_of(bad), HasSubstr("samples: expected numbers"));
  bad = good;
  bad.erase("begun");
  EXPECT_THAT(error_of(bad), HasSubstr("begun: expected a string"));
  EXPECT_THROW(result_from_json("{"), Error);
}

TEST(ResultJson, AListHasSeveral) {
  const std::string one = to_json(example());
  EXPECT_EQ(results_from_json("[" + one + "," + one + "]").size(), 2u);
  EXPECT_EQ(results_from_json(one).size(), 1u);
}

TEST(ReportCsv, HasALineForEachSample) {
  const std::string csv = csv_of({example()});
  EXPECT_THAT(csv, HasSubstr("command,name,unit,size,set,number,value\r\nmsm,msm.g1,ms,1048576,new,0,1.5\r\n"));
  EXPECT_THAT(csv, HasSubstr("msm,rate,proofs/s,,baseline,5,1\r\n"));
  Result quoted = example();
  quoted.measurements[0].name = "a,\"b\"";
  EXPECT_THAT(csv_of({quoted}), HasSubstr("msm,\"a,\"\"b\"\"\",ms"));
}

TEST(ReportText, HasMedianAndVerdict) {
  const std::string text = text_of(example());
  EXPECT_THAT(text, HasSubstr("msm.g1, 2^20 points"));
  EXPECT_THAT(text, HasSubstr("of old.json: "));
  EXPECT_THAT(text, HasSubstr("times as much"));
}

/// Comments with the licenses of what is built in name their projects' pages; nothing else may name any.
TEST(ReportHtml, LoadsNothing) {
  std::string html = html_of({example()});
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
  std::string code;
  for (std::size_t at = 0; at < html.size();) {
    const auto begin = html.find("/*!", at);
    code += html.substr(at, begin - at);
    if (begin == std::string::npos) break;
    at = html.find("*/", begin) + 2;
  }
  EXPECT_LT(code.size(), html.size()) << "the licenses are there";
  EXPECT_THAT(code, Not(HasSubstr("http://")));
  EXPECT_THAT(code, Not(HasSubstr("https://")));
  for (const char* const load : {"<link", "<img", "<iframe", "@import", " src=", "url("})
    EXPECT_THAT(code.substr(0, code.find("<script>")), Not(HasSubstr(load)));
}

TEST(ReportHtml, TextsStayTexts) {
  const std::string html = html_of({example()});
  EXPECT_THAT(html, Not(HasSubstr("<script>alert")));
  const auto begin = html.find("type=\"application/json\">") + 24, end = html.find("</script>", begin);
  const json data = json::parse(html.substr(begin, end - begin));
  EXPECT_EQ(data.at(0).at("arguments").at(3), kNasty) << "the reader has what was written";
}

TEST(Arguments, OptionsGoWithTheirValues) {
  const std::vector<std::string> given{"msm", "--against", "x",      "--json", "--from",
                                       "4",   "--csv=a",   "--json", "f",      "--json=g"};
  EXPECT_THAT(without_options(given, {"--against", "--json?", "--csv"}), ElementsAre("msm", "--from", "4"));
}

TEST(InTurn, TellsAProgramFromADaemonAndAFile) {
  EXPECT_EQ(kind_of("self"), Against::program);
  EXPECT_EQ(kind_of("/proc/self/exe"), Against::program);
  EXPECT_EQ(kind_of("unix:///run/curio/cuzk.sock"), Against::daemon);
  EXPECT_EQ(kind_of("prover-2:9820"), Against::daemon);
  for (const char* const nothing : {"result.json", "prover-2:", ":9820", "prover-2:port"})
    EXPECT_THROW(kind_of(nothing), Error) << nothing;
}

}  // namespace
}  // namespace cuzk::measure
