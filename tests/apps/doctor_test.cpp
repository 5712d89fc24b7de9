// `cuzk doctor`: what it says of a machine, its exit status.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>
#include <map>

#include "apps/process.h"
#include "support/vectors.h"

namespace cuzk {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// CUZK_CPU as long as this object lives.
class ForcedPath {
 public:
  explicit ForcedPath(const char* name) { ::setenv("CUZK_CPU", name, 1); }
  ~ForcedPath() { ::unsetenv("CUZK_CPU"); }
};

std::map<std::string, json> checks_of(const test::Outcome& outcome) {
  std::map<std::string, json> checks;
  const json all = json::parse(outcome.out);
  for (const auto& check : all.at("checks")) checks[check.at("name")] = check;
  return checks;
}

TEST(Doctor, NamesEverythingThatMatters) {
  const auto outcome = test::run({CUZK_PROGRAM, "doctor", "--json", "--keys", "/nowhere/keys"});
  ASSERT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  auto checks = checks_of(outcome);
  for (const char* const name :
       {"program", "program.libraries", "cpu", "cpu.adx", "cpu.avx2", "cpu.avx512_ifma", "cpu.sha_ni", "cpu.path",
        "cpu.threads", "memory", "memory.limit", "memory.huge_pages", "limit.locked_memory", "limit.open_files",
        "disk.temporary", "keys", "circuits", "digests", "device.cpu"})
    EXPECT_TRUE(checks.contains(name)) << name;
  EXPECT_EQ(checks["keys"].at("state"), "warn");
  EXPECT_THAT(checks["keys"].at("value"), HasSubstr("/nowhere/keys"));
  EXPECT_THAT(checks["keys"].at("advice"), HasSubstr("cuzk setup"));
  EXPECT_EQ(checks["device.cpu"].at("state"), "ok");
}

TEST(Doctor, SaysWhatIsForced) {
  const ForcedPath portable("portable");
  const auto outcome = test::run({CUZK_PROGRAM, "doctor", "--keys", "/nowhere/keys"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("portable, SHA-256 portable, forced by CUZK_CPU=portable"));
}

TEST(Doctor, WarnsOfALowLimitOfOpenFiles) {
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  const rlimit low{256, before.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &low);
  const auto outcome = test::run({CUZK_PROGRAM, "doctor", "--json", "--keys", "/nowhere/keys"});
  ::setrlimit(RLIMIT_NOFILE, &before);
  auto check = checks_of(outcome)["limit.open_files"];
  EXPECT_EQ(check.at("value"), "256");
  EXPECT_EQ(check.at("state"), "warn");
  EXPECT_THAT(check.at("advice"), HasSubstr("ulimit -n"));
}

TEST(Doctor, FailsWhereNothingCanBeComputed) {
  const ForcedPath unknown("sse2");
  const auto outcome = test::run({CUZK_PROGRAM, "doctor", "--json", "--keys", "/nowhere/keys"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(json::parse(outcome.out).at("ok"), false);
  EXPECT_EQ(checks_of(outcome)["cpu.path"].at("state"), "fail");
}

}  // namespace
}  // namespace cuzk
