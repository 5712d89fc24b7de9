// The macro is tested as a build with failpoints sees it, whatever this build is.
#ifndef CUZK_FAILPOINTS
#define CUZK_FAILPOINTS
#endif
#include "base/failpoint.h"

#include <gtest/gtest.h>

#include <chrono>

#include "base/error.h"

namespace cuzk {
namespace {

class FailpointTest : public testing::Test {
 protected:
  ~FailpointTest() override { failpoint::disarm_all(); }
};

TEST_F(FailpointTest, AnUnarmedPlaceIsHarmless) { EXPECT_NO_THROW(CUZK_FAILPOINT("nowhere")); }

TEST_F(FailpointTest, AnArmedPlaceFailsAsOftenAsPlanned) {
  failpoint::arm("write", {.action = failpoint::Action::error, .times = 2});
  EXPECT_THROW(CUZK_FAILPOINT("write"), Error);
  EXPECT_THROW(CUZK_FAILPOINT("write"), Error);
  EXPECT_NO_THROW(CUZK_FAILPOINT("write"));
}

TEST_F(FailpointTest, AnArmedPlaceLetsTheFirstPassesThrough) {
  failpoint::arm("write", {.skip = 2, .times = 1});
  EXPECT_NO_THROW(CUZK_FAILPOINT("write"));
  EXPECT_NO_THROW(CUZK_FAILPOINT("write"));
  EXPECT_THROW(CUZK_FAILPOINT("write"), Error);
  EXPECT_NO_THROW(CUZK_FAILPOINT("write"));
}

TEST_F(FailpointTest, AnErrorHasTheCodeOfThePlan) {
  failpoint::arm_from_text("launch=error:device_lost");
  try {
    CUZK_FAILPOINT("launch");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::device_lost);
    EXPECT_STREQ(error.what(), "failpoint launch: made to fail");
  }
}

TEST_F(FailpointTest, TextArmsSeveralPlaces) {
  failpoint::arm_from_text("a=error,b=sleep:20");
  EXPECT_THROW(CUZK_FAILPOINT("a"), Error);
  const auto begin = std::chrono::steady_clock::now();
  CUZK_FAILPOINT("b");
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(20));
}

TEST_F(FailpointTest, TextSaysWhichPassesFail) {
  failpoint::arm_from_text("write=error:unavailable@1*2");
  EXPECT_NO_THROW(CUZK_FAILPOINT("write"));
  EXPECT_THROW(CUZK_FAILPOINT("write"), Error);
  EXPECT_THROW(CUZK_FAILPOINT("write"), Error);
  EXPECT_NO_THROW(CUZK_FAILPOINT("write"));
}

TEST_F(FailpointTest, PassesAreCountedWhetherArmedOrNot) {
  const auto before = failpoint::passes();
  CUZK_FAILPOINT("counted");
  CUZK_FAILPOINT("counted");
  const auto after = failpoint::passes();
  EXPECT_EQ(after.at("counted"), 2 + (before.contains("counted") ? before.at("counted") : 0));
}

TEST_F(FailpointTest, AbortEndsTheProcess) {
  failpoint::arm_from_text("c=abort");
  EXPECT_EXIT(CUZK_FAILPOINT("c"), testing::ExitedWithCode(134), "");
}

TEST_F(FailpointTest, FlipIsForPlacesThatAsk) {
  failpoint::arm_from_text("bit=flip@1*1");
  EXPECT_FALSE(failpoint::wants_flip("bit"));
  EXPECT_TRUE(failpoint::wants_flip("bit"));
  EXPECT_FALSE(failpoint::wants_flip("bit"));
  failpoint::arm_from_text("call=flip");
  EXPECT_NO_THROW(CUZK_FAILPOINT("call"));
  failpoint::arm_from_text("bit=error");
  EXPECT_THROW(failpoint::wants_flip("bit"), Error);
}

TEST_F(FailpointTest, WrongTextIsRefused) {
  for (const char* text :
       {"a", "=error", "a=explode", "a=error:", "a=error:grief", "a=sleep:", "a=sleep:1x", "a=error@", "a=error*x"})
    EXPECT_THROW(failpoint::arm_from_text(text), Error) << text;
}

}  // namespace
}  // namespace cuzk
