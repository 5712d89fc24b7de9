#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "farm/farm_options.h"
#include "farm/key_hint.h"

namespace cuzk::farm {
namespace {

TEST(FarmOptions, NoFormOfAPasswordIsShown) {
  EXPECT_EQ(without_password("postgres://cuzk:s3cret@db:5432/cuzk?sslmode=require"),
            "postgres://cuzk:***@db:5432/cuzk?sslmode=require");
  EXPECT_EQ(without_password("postgresql://cuzk:s3c@ret@db/cuzk"), "postgresql://cuzk:***@db/cuzk");
  EXPECT_EQ(without_password("postgres://db/cuzk?user=a&password=s3cret&sslmode=require"),
            "postgres://db/cuzk?user=a&password=***&sslmode=require");
  EXPECT_EQ(without_password("host=db password=s3cret user=cuzk"), "host=db password=*** user=cuzk");
  EXPECT_EQ(without_password("host=db password = 's3 cr\\'et' user=cuzk"), "host=db password = *** user=cuzk");
  EXPECT_EQ(without_password("sslpassword=s3cret passfile=/etc/pgpass"), "sslpassword=*** passfile=/etc/pgpass");
  EXPECT_EQ(without_password("password='s3cret"), "password=***") << "not closed";
  EXPECT_EQ(without_password("host=db user=cuzk"), "host=db user=cuzk");
  EXPECT_EQ(without_password(""), "");
}

TEST(FarmOptions, ALeaseIsThreeHeartbeatsAtLeast) {
  FarmOptions options;
  check(options);
  options.lease = 2 * options.heartbeat;
  EXPECT_THROW(check(options), Error);
}

TEST(FarmKeyHint, SaysWhatTheNumbersOfARequestSay) {
  using engine::Kind;
  const auto hint = [](Kind kind, u64 sector_size, u64 registered_proof) {
    engine::ProofInput input;
    input.kind = kind;
    input.sector_size = sector_size;
    input.registered_proof = registered_proof;
    return key_hint(input);
  };
  constexpr u64 k32GiB = u64{32} << 30;
  EXPECT_EQ(hint(Kind::porep, k32GiB, 8), "porep-32g");
  EXPECT_EQ(hint(Kind::porep, 0, 8), "porep-32g");
  EXPECT_EQ(hint(Kind::porep, 0, 0), "") << "it stands in the input alone";
  EXPECT_EQ(hint(Kind::snap, 0, 4), "snap-64g") << "callers do not say the size";
  EXPECT_EQ(hint(Kind::window_post, 0, 13), "wpost-32g");
  EXPECT_EQ(hint(Kind::winning_post, 2048, 0), "winning-2k");
  EXPECT_EQ(hint(Kind::porep, 12345, 0), "") << "no size of a sector";
}

}  // namespace
}  // namespace cuzk::farm
