#include "engine/retention.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cuzk::engine {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

const Clock::time_point kRetentionStart{};

TEST(Retention, ForgetsTheOldestBeyondTheNumber) {
  Retention retention({.jobs = 2, .bytes = 1000, .age = 24h});
  for (const char* id : {"a", "b", "c", "d"}) retention.add(id, 1, kRetentionStart);
  EXPECT_THAT(retention.expired(kRetentionStart), ElementsAre("a", "b"));
  EXPECT_THAT(retention.expired(kRetentionStart), IsEmpty());
}

TEST(Retention, ForgetsTheOldestBeyondTheBytes) {
  Retention retention({.jobs = 100, .bytes = 1000, .age = 24h});
  retention.add("a", 600, kRetentionStart);
  retention.add("b", 400, kRetentionStart);
  EXPECT_THAT(retention.expired(kRetentionStart), IsEmpty());
  retention.add("c", 1, kRetentionStart);
  EXPECT_THAT(retention.expired(kRetentionStart), ElementsAre("a"));
}

TEST(Retention, ForgetsWhatIsTooOld) {
  Retention retention({.jobs = 100, .bytes = 1000, .age = 1h});
  retention.add("a", 1, kRetentionStart);
  retention.add("b", 1, kRetentionStart + 30min);
  EXPECT_THAT(retention.expired(kRetentionStart + 1h), IsEmpty());
  EXPECT_THAT(retention.expired(kRetentionStart + 61min), ElementsAre("a"));
  EXPECT_THAT(retention.expired(kRetentionStart + 91min), ElementsAre("b"));
}

}  // namespace
}  // namespace cuzk::engine
