#include "base/spans.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <thread>

namespace cuzk {
namespace {

using namespace std::chrono_literals;

TEST(Spans, NestedSpansAreRecordedInOrderOfTheirStart) {
  Trace trace;
  {
    Span outer(&trace, "prove", 3);
    Span inner(&trace, "prove.ntt");
    std::this_thread::sleep_for(1ms);
  }
  const auto records = trace.records();
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].name, "prove");
  EXPECT_EQ(records[0].item, 3U);
  EXPECT_EQ(records[1].name, "prove.ntt");
  EXPECT_EQ(records[1].item, std::nullopt);
  EXPECT_EQ(records[0].thread, records[1].thread);
  EXPECT_LE(records[0].start, records[1].start);
  EXPECT_GE(records[0].duration, records[1].duration);
  EXPECT_GE(records[1].duration, 1ms);
}

TEST(Spans, NothingIsMeasuredWithoutATrace) {
  Span span(nullptr, "alone");
  span.end();
}

TEST(Spans, EndingTwiceGivesOneRecord) {
  Trace trace;
  {
    Span span(&trace, "stage");
    span.end();
    span.end();
  }
  EXPECT_EQ(trace.records().size(), 1U);
}

TEST(Spans, TotalsAddUpByNameInOrderOfFirstStart) {
  Trace trace;
  const auto now = Trace::Clock::now();
  trace.add("witness", 0, now, now + 10ms);
  trace.add("msm", 0, now + 10ms, now + 15ms);
  trace.add("witness", 1, now + 11ms, now + 12ms);
  const auto totals = trace.totals_ms();
  ASSERT_EQ(totals.size(), 2U);
  EXPECT_EQ(totals[0].first, "witness");
  EXPECT_NEAR(totals[0].second, 11, 1e-9);
  EXPECT_EQ(totals[1].first, "msm");
  EXPECT_NEAR(totals[1].second, 5, 1e-9);
}

TEST(Spans, ThreadsShareATrace) {
  Trace trace;
  std::vector<std::jthread> threads;
  for (u32 i = 0; i < 4; ++i)
    threads.emplace_back([&trace, i] {
      for (int k = 0; k < 100; ++k) Span span(&trace, "work", i);
    });
  threads.clear();
  EXPECT_EQ(trace.records().size(), 400U);
}

TEST(Spans, ChromeTraceIsJson) {
  Trace trace;
  const auto now = Trace::Clock::now();
  trace.add("a \"quoted\" stage\n", 2, now, now + 1500us);
  trace.add("b", std::nullopt, now + 1ms, now + 2ms);
  const auto events = nlohmann::json::parse(chrome_trace_json(trace.records())).at("traceEvents");
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].at("ph"), "X");
  EXPECT_EQ(events[0].at("name"), "a \"quoted\" stage\n");
  EXPECT_EQ(events[0].at("dur"), 1500.0);
  EXPECT_EQ(events[0].at("args").at("item"), 2);
  EXPECT_FALSE(events[1].contains("args"));
  EXPECT_TRUE(nlohmann::json::parse(chrome_trace_json({})).at("traceEvents").empty());
}

}  // namespace
}  // namespace cuzk
