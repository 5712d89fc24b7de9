#include "server/bearer_tokens.h"

#include <gtest/gtest.h>

#include <fstream>

#include "apps/process.h"
#include "base/error.h"

namespace cuzk::server {
namespace {

class BearerTokensTest : public testing::Test {
 protected:
  void write(const std::string& text) const { std::ofstream(folder / "tokens") << text; }
  BearerTokens tokens() const { return BearerTokens(folder / "tokens"); }

  test::TemporaryFolder folder;
};

TEST_F(BearerTokensTest, AcceptsTheTokensOfTheFileAndNothingElse) {
  write("# a comment\n\nfirst-token-of-16+\r\nsecond-token-of-16  \n");
  const BearerTokens all(folder / "tokens");
  EXPECT_TRUE(all.accepts("Bearer first-token-of-16+"));
  EXPECT_TRUE(all.accepts("Bearer second-token-of-16"));
  for (const char* wrong : {"", "Bearer", "Bearer ", "first-token-of-16+", "bearer first-token-of-16+",
                            "Bearer first-token-of-16", "Bearer first-token-of-16++", "Bearer # a comment"})
    EXPECT_FALSE(all.accepts(wrong)) << wrong;
}

TEST_F(BearerTokensTest, AFileWithAFaultIsNamedWithItsLine) {
  EXPECT_THROW(tokens(), Error);
  for (const char* wrong : {"", "# only this\n", "fifteen-letters\n", "a token with spaces\n"}) {
    write(wrong);
    EXPECT_THROW(tokens(), Error) << wrong;
  }
}

TEST_F(BearerTokensTest, AFaultAtTheReloadLeavesThemAsTheyWere) {
  write("first-token-of-16+\n");
  BearerTokens all(folder / "tokens");
  write("short\n");
  EXPECT_THROW(all.reload(), Error);
  EXPECT_TRUE(all.accepts("Bearer first-token-of-16+"));
  write("second-token-of-16\nthird-token-of-16+\n");
  EXPECT_EQ(all.reload(), 2u);
  EXPECT_FALSE(all.accepts("Bearer first-token-of-16+"));
  EXPECT_TRUE(all.accepts("Bearer third-token-of-16+"));
}

}  // namespace
}  // namespace cuzk::server
