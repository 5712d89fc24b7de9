#include "base/hex.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/error.h"

namespace cuzk {
namespace {

TEST(Hex, RoundTrips) { EXPECT_EQ(to_hex(from_hex("00ff10Ab")), "00ff10ab"); }

RC_GTEST_PROP(Hex, GivesBackAnyBytes, (const std::vector<u8>& bytes)) { RC_ASSERT(from_hex(to_hex(bytes)) == bytes); }

TEST(Hex, NamesTheWrongCharacter) {
  try {
    from_hex("00zz");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::invalid_input);
    EXPECT_NE(std::string(error.what()).find("character 2"), std::string::npos);
  }
  EXPECT_THROW(from_hex("0"), Error);
}

}  // namespace
}  // namespace cuzk
