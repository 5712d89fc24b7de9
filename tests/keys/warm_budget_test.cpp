#include "keys/warm_budget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cuzk::keys {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;

constexpr WarmBudget::Time kStart{};

TEST(WarmBudget, TakesFilesWhileThereIsRoom) {
  WarmBudget budget(100);
  EXPECT_THAT(budget.enter("a", 60, kStart), Optional(IsEmpty()));
  EXPECT_THAT(budget.enter("b", 40, kStart), Optional(IsEmpty()));
  EXPECT_THAT(budget.enter("a", 60, kStart), Optional(IsEmpty())) << "it is there already";
  EXPECT_EQ(budget.used(), 100u);
}

TEST(WarmBudget, AFileThatIsLargerThanAllIsNotTaken) {
  WarmBudget budget(100);
  budget.enter("a", 60, kStart);
  EXPECT_EQ(budget.enter("large", 101, kStart + 1h), std::nullopt);
  EXPECT_TRUE(budget.has("a")) << "nothing gives way in vain";
}

TEST(WarmBudget, WhatIsCheapToReadAgainAndLongUnusedGivesWayFirst) {
  WarmBudget budget(100);
  budget.enter("small and old", 20, kStart);
  budget.enter("large and old", 50, kStart);
  budget.enter("small and new", 20, kStart + 59min);
  EXPECT_THAT(budget.enter("b", 25, kStart + 61min), Optional(ElementsAre("small and old")));
  EXPECT_THAT(budget.enter("c", 45, kStart + 62min), Optional(ElementsAre("large and old")));
  EXPECT_EQ(budget.used(), 90u);
}

TEST(WarmBudget, WhatWasUsedLatelyDoesNotGiveWay) {
  WarmBudget budget(100);
  budget.enter("a", 60, kStart);
  EXPECT_EQ(budget.enter("b", 60, kStart + 59s), std::nullopt);
  EXPECT_THAT(budget.enter("b", 60, kStart + 60s), Optional(ElementsAre("a")));
}

TEST(WarmBudget, AFileThatGrewTakesMore) {
  WarmBudget budget(100);
  budget.enter("a", 60, kStart);
  budget.enter("a", 90, kStart);
  EXPECT_EQ(budget.used(), 90u);
  budget.remove("a");
  EXPECT_EQ(budget.used(), 0u);
}

}  // namespace
}  // namespace cuzk::keys
