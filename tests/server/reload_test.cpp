// SIGHUP: what changes while the daemon serves, and what it says of the rest.
#include "server/daemon_fixture.h"

namespace cuzk::server {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ReloadTest : public DaemonTest {
 protected:
  void write_configuration(const std::string& more) const {
    std::ofstream(folder / "cuzk.toml") << "[srs]\nparam_cache = \"" << (folder / "keys").string() << "\"\n" << more;
  }
  void reload(const std::string& more) {
    write_configuration(more);
    daemon->signal(SIGHUP);
  }
  void wait_for_log(const std::string& words) {
    while (log().find(words) == std::string::npos && daemon->runs()) std::this_thread::sleep_for(5ms);
    EXPECT_THAT(log(), HasSubstr(words));
  }
};

TEST_F(ReloadTest, TheLogChangesWithoutARestart) {
  start();
  EXPECT_EQ(client->prove(toy("before")).status(), v1::AwaitProofResponse::COMPLETED);
  EXPECT_THAT(log(), HasSubstr("'before'"));
  reload("[logging]\nformat = \"json\"\nmodules = { rpc = \"error\" }\n");
  wait_for_log("logging.modules is now { rpc = \"error\" }");
  wait_for_log("logging.format is now");
  wait_for_log("the configuration was read again");
  EXPECT_EQ(client->prove(toy("after", 1)).status(), v1::AwaitProofResponse::COMPLETED);
  EXPECT_THAT(log(), Not(HasSubstr("'after'"))) << "a call is of the module rpc";
  daemon->signal(SIGTERM);
  EXPECT_EQ(daemon->wait(), 0);
  EXPECT_THAT(log(), HasSubstr(R"("level":"info","module":"server","message":"stopped")"));
}

TEST_F(ReloadTest, LimitsOfJobsChangeWithoutARestart) {
  start({"--insecure-prove-delay", "60000"});
  reload("[jobs]\nmax_queued = 0\n");
  wait_for_log("jobs.max_queued is now 0");
  wait_for_log("the configuration was read again");
  EXPECT_THAT(error_of(Code::resource_exhausted, [&] { client->submit(toy("a")); }),
              HasSubstr("the queue of porep-c2 is full"));
}

TEST_F(ReloadTest, WhatNeedsARestartIsNamed) {
  start();
  reload("[synthesis]\nthreads = 7\n");
  wait_for_log("synthesis.threads stays 0 until a restart, then it is 7");
  EXPECT_TRUE(answers());
}

TEST_F(ReloadTest, AFaultChangesNothing) {
  start();
  reload("[logging]\nlevel = \"loud\"\n");
  wait_for_log("the configuration stays as it was");
  EXPECT_THAT(log(), AllOf(HasSubstr("cuzk.toml, line 4"), HasSubstr("'loud'")));
  EXPECT_EQ(client->prove(toy("a")).status(), v1::AwaitProofResponse::COMPLETED);
}

}  // namespace
}  // namespace cuzk::server
