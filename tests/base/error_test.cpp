#include "base/error.h"

#include <gtest/gtest.h>

namespace cuzk {
namespace {

TEST(Error, CarriesCodeAndMessage) {
  const Error error = invalid_input("{}: {} bytes, expected {}", "c1.json", 3, 4);
  EXPECT_EQ(error.code(), Code::invalid_input);
  EXPECT_STREQ(error.what(), "c1.json: 3 bytes, expected 4");
}

TEST(Error, CodesHaveStableNames) {
  EXPECT_EQ(name(Code::invalid_input), "invalid_input");
  EXPECT_EQ(name(Code::device_lost), "device_lost");
  EXPECT_EQ(name(Code::internal), "internal");
}

}  // namespace
}  // namespace cuzk
