#include "engine/lane_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/engine_fixture.h"

namespace cuzk::engine {
namespace {

using Role = Lane::Role;
using Stage = LaneSpan::Stage;
using End = LaneSpan::End;
using testing::ElementsAre;

const Clock::time_point kHistoryStart{};
const Lane kLane{Role::ordinary, 0, 1};

/// "stage:subject:milliseconds:how" of each span.
std::vector<std::string> told(const std::vector<LaneSpan>& spans) {
  std::vector<std::string> texts;
  for (const auto& span : spans) {
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(span.end - span.begin).count();
    texts.push_back(fmt::format("{}:{}:{}:{}", name(span.stage), span.subject, took, name(span.how)));
  }
  return texts;
}

TEST(LaneHistory, WhatBeginsEndsWhatWasBefore) {
  LaneHistory history;
  history.begin(kLane, Stage::witness, "a", 3, kHistoryStart);
  history.begin(kLane, Stage::wait, "a", 3, kHistoryStart + 10ms);
  history.begin(kLane, Stage::prove, "a", 3, kHistoryStart + 30ms);
  history.end(kLane, End::done, kHistoryStart + 70ms);
  EXPECT_THAT(told(history.since(0)), ElementsAre("witness:a:10:done", "wait:a:20:done", "prove:a:40:done"));
  EXPECT_EQ(history.since(0)[2].partition, 3u);
}

TEST(LaneHistory, WhoHasItsTurnAtOnceDidNotWait) {
  LaneHistory history;
  history.begin(kLane, Stage::witness, "a", 0, kHistoryStart);
  history.begin(kLane, Stage::wait, "a", 0, kHistoryStart + 10ms);
  history.begin(kLane, Stage::prove, "a", 0, kHistoryStart + 10ms);
  EXPECT_THAT(told(history.since(0)), ElementsAre("witness:a:10:done", "prove:a:0:running"));
}

TEST(LaneHistory, TellsOnlyWhatIsNewAndWhatRuns) {
  LaneHistory history;
  history.begin(kLane, Stage::witness, "a", 0, kHistoryStart);
  history.end(kLane, End::dropped, kHistoryStart + 1ms);
  const u64 known = history.since(0).back().number;
  EXPECT_TRUE(history.since(known).empty());
  history.begin(kLane, Stage::witness, "b", 0, kHistoryStart + 2ms);
  EXPECT_THAT(told(history.since(known)), ElementsAre("witness:b:0:running"));
  history.end(kLane, End::done, kHistoryStart + 5ms);
  EXPECT_THAT(told(history.since(known)), ElementsAre("witness:b:3:done"));
}

TEST(LaneHistory, PartitionsThatAreProvedTogetherAreOneSpan) {
  LaneHistory history;
  for (const u32 partition : {0, 1, 2}) history.begin(kLane, Stage::prove, "a", partition, kHistoryStart);
  history.end(kLane, End::done, kHistoryStart + 9ms);
  history.end(kLane, End::done, kHistoryStart + 9ms);
  ASSERT_EQ(history.since(0).size(), 1u);
  EXPECT_EQ(history.since(0)[0].together, 3u);
}

TEST(LaneHistory, WhatIsDoneBesideOtherThingsHasALaneOfItsOwn) {
  LaneHistory history;
  const auto begin = [&](const char* circuit) {
    return history.begin_in_free(Role::keys, 1, Stage::key, circuit, kHistoryStart);
  };
  const Lane first = begin("porep-2k"), second = begin("snap-2k");
  EXPECT_EQ(first.number, 0u);
  EXPECT_EQ(second.number, 1u);
  history.end(first, End::done, kHistoryStart + 1ms);
  EXPECT_EQ(begin("winning-2k").number, 0u);
}

TEST(LaneHistory, ALostDeviceDropsWhatItDid) {
  LaneHistory history;
  history.begin({Role::urgent, 1, 0}, Stage::prove, "a", 0, kHistoryStart);
  history.begin(kLane, Stage::prove, "b", 0, kHistoryStart);
  history.lose(1, kHistoryStart + 4ms);
  EXPECT_THAT(told(history.since(0)), ElementsAre("prove:a:4:dropped", "prove:b:0:running"));
}

TEST(LaneHistory, KeepsTheNewestAloneAndNoneThatIsOld) {
  LaneHistory history;
  for (std::size_t i = 0; i < LaneHistory::kMost + 5; ++i) {
    history.begin(kLane, Stage::prove, std::to_string(i), 0, kHistoryStart);
    history.end(kLane, End::done, kHistoryStart + 1ms);
  }
  EXPECT_EQ(history.since(0).size(), LaneHistory::kMost);
  EXPECT_EQ(history.since(0).front().subject, "5");
  history.begin(kLane, Stage::prove, "later", 0, kHistoryStart + LaneHistory::kAge);
  history.end(kLane, End::done, kHistoryStart + LaneHistory::kAge + 2ms);
  EXPECT_THAT(told(history.since(0)), ElementsAre("prove:later:2:done"));
}

}  // namespace
}  // namespace cuzk::engine
