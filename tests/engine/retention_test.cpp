#include "engine/retention.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cuzk::engine {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

const Clock::time_point kStart{};

TEST(Retention, ForgetsTheOldestBeyondTheNumber) {
  Retention retention({.jobs = 2, .bytes = 1000, .age = 24h});
  for (const char* id : {"a", "b", "c", "d"}) retention.add(id, 1, kStart);
  EXPECT_THAT(retention.expired(kStart), ElementsAre("a", "b"));
  EXPECT_THAT(retention.expired(kStart), IsEmpty());
}

TEST(Retention, ForgetsTheOldestBeyondTheBytes) {
  Retention retention({.jobs = 100, .bytes = 1000, .age = 24h});
  retention.add("a", 600, kStart);
  retention.add("b", 400, kStart);
  EXPECT_THAT(retention.expired(kStart), IsEmpty());
  retention.add("c", 1, kStart);
  EXPECT_THAT(retention.expired(kStart), ElementsAre("a"));
}

TEST(Retention, ForgetsWhatIsTooOld) {
  Retention retention({.jobs = 100, .bytes = 1000, .age = 1h});
  retention.add("a", 1, kStart);
  retention.add("b", 1, kStart + 30min);
  EXPECT_THAT(retention.expired(kStart + 1h), IsEmpty());
  EXPECT_THAT(retention.expired(kStart + 61min), ElementsAre("a"));
  EXPECT_THAT(retention.expired(kStart + 91min), ElementsAre("b"));
}

}  // namespace
}  // namespace cuzk::engine
