#include "base/ablation.h"

#include <gtest/gtest.h>

#include <set>

#include "base/error.h"

namespace cuzk {
namespace {

TEST(Ablation, EveryNameLeavesOutOneAndNoOther) {
  std::set<Optimization> seen;
  for (const OptimizationName& each : optimizations()) {
    leave_out(optimization_named(each.name));
    EXPECT_TRUE(is_left_out(each.optimization)) << each.name;
    for (const OptimizationName& other : optimizations())
      EXPECT_EQ(is_left_out(other.optimization), other.optimization == each.optimization) << other.name;
    leave_nothing_out();
    EXPECT_FALSE(is_left_out(each.optimization));
    EXPECT_TRUE(seen.insert(each.optimization).second) << each.name;
  }
}

TEST(Ablation, AnUnknownNameIsRefusedWithThoseThatThereAre) {
  try {
    optimization_named("Z9");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::invalid_input);
    EXPECT_NE(std::string(error.what()).find("A4 B3"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace cuzk
