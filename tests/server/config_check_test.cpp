// cuzk serve --check: what would be used, what is wrong; and the layers of the configuration.
#include "server/config_check.h"

#include <fmt/format.h>

#include <cstdlib>

#include "apps/process.h"
#include "base/error.h"
#include "server/certificates.h"
#include "server/config_keys.h"
#include "server/daemon_fixture.h"

namespace cuzk::server {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// The example with every key in force: a line "#name = value" is one, "# Words" is not.
std::string example_in_force() {
  std::ifstream file(CUZK_EXAMPLE_CONFIG);
  std::string text;
  for (std::string line; std::getline(file, line);) {
    const bool is_key = line.size() > 1 && line[0] == '#' && line[1] != ' ';
    text += (is_key ? line.substr(1) : line) + "\n";
  }
  return text;
}

TEST(ExampleConfig, HoldsEveryKeyWithItsDefault) {
  const std::string text = example_in_force();
  const auto example = parse_config(text, "cuzk.toml");
  const Config defaults;
  for (const auto& key : config_keys()) {
    if (!key.show) {
      EXPECT_THAT(text, HasSubstr(key.name)) << "named as one without effect";
      continue;
    }
    EXPECT_THAT(text, HasSubstr(fmt::format("\n{} = ", key.name.substr(key.name.find('.') + 1)))) << key.name;
    const bool depends_on_the_machine =
        key.name == "srs.param_cache" || key.name == "srs.digests" || key.name == "circuits.cache";
    if (depends_on_the_machine) continue;
    EXPECT_EQ(key.show(example), key.show(defaults)) << key.name;
  }
}

TEST(ExampleConfig, LoadsAsItIs) {
  const auto config = read_config(CUZK_EXAMPLE_CONFIG);
  EXPECT_TRUE(config.unused.empty());
  EXPECT_TRUE(differences(config, Config{}).empty());
}

TEST(EffectiveConfig, IsAConfigurationThatReadsBack) {
  auto config = parse_config(
      "[daemon]\nlisten = \"unix:///tmp/a, 10.0.0.1:5\"\n[logging]\nmodules = {rpc = \"warn\"}\n", "cuzk.toml");
  const auto again = parse_config(effective_config(config), "shown");
  EXPECT_TRUE(differences(config, again).empty());
}

TEST(Environment, StandsAboveTheFileAndBelowTheOptions) {
  EXPECT_EQ(environment_name("daemon.listen"), "CUZK_DAEMON_LISTEN");
  ::setenv("CUZK_DAEMON_LISTEN", "unix:///tmp/b", 1);
  ::setenv("CUZK_SRS_PRELOAD", "porep-2k,winning-2k", 1);
  ::setenv("CUZK_LOGGING_MODULES", "rpc=warn,engine=debug", 1);
  ::setenv("CUZK_JOBS_MAX_QUEUED", "12", 1);
  const auto config = load_config({}, {{"jobs.max_queued", "13", "--set"}});
  EXPECT_EQ(config.listen.at(0), "unix:///tmp/b");
  EXPECT_EQ(config.preload.size(), 2u);
  EXPECT_EQ(config.log.modules.at(LogModule::engine), spdlog::level::debug);
  EXPECT_EQ(config.engine.max_queued, 13u);
  ::setenv("CUZK_JOBS_MAX_QUEUED", "many", 1);
  try {
    load_config({}, {});
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("environment CUZK_JOBS_MAX_QUEUED"), HasSubstr("'many'")));
  }
  for (const char* name : {"CUZK_DAEMON_LISTEN", "CUZK_SRS_PRELOAD", "CUZK_LOGGING_MODULES", "CUZK_JOBS_MAX_QUEUED"})
    ::unsetenv(name);
}

class CheckTest : public testing::Test {
 protected:
  test::Outcome check(std::vector<std::string> more) const {
    std::vector<std::string> command{CUZK_PROGRAM, "serve", "--check"};
    command.insert(command.end(), more.begin(), more.end());
    return test::run(command);
  }
  std::string address() const { return "unix://" + (folder / "s").string(); }

  test::TemporaryFolder folder;
};

TEST_F(CheckTest, SaysWhatWouldBeUsed) {
  const auto outcome = check({"-l", address(), "--set", "jobs.keep_time=3h"});
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("listen = \"" + address() + "\""), HasSubstr("keep_time = \"3h\""),
                                 HasSubstr("ok   can listen on " + address())));
  EXPECT_FALSE(std::filesystem::exists(folder / "s")) << "nothing is changed";
}

TEST_F(CheckTest, SaysWhatIsInTheWay) {
  const auto nowhere = check({"-l", "unix:///nowhere/at/all/s"});
  EXPECT_EQ(nowhere.status, 1);
  EXPECT_THAT(nowhere.out, AllOf(HasSubstr("fail "), HasSubstr("/nowhere/at/all")));
  const auto open = check({"-l", "127.0.0.1:0"});
  EXPECT_EQ(open.status, 1);
  EXPECT_THAT(open.out, HasSubstr("daemon.insecure"));
  EXPECT_EQ(check({"-l", "127.0.0.1:0", "--insecure"}).status, 0);
  EXPECT_EQ(check({"-l", "203.0.113.7:80", "--insecure"}).status, 1) << "an address of no machine";
}

TEST_F(CheckTest, TriesDirectoriesAndDevices) {
  std::ofstream(folder / "file") << "no directory\n";
  const auto setting = [&](const std::string& key, const std::string& name) {
    return fmt::format("{}={}", key, (folder / name).string());
  };
  const auto good = check({"-l", address(), "--device", "cpu", "--set", setting("jobs.journal", "state/journal"),
                           "--set", setting("circuits.cache", "."), "--set", setting("srs.digests", "file/digests")});
  EXPECT_EQ(good.status, 0) << good.out;
  EXPECT_THAT(good.out, AllOf(HasSubstr("state/journal, which will be made"), HasSubstr("ok   circuits.cache: "),
                              HasSubstr("warn srs.digests: "), HasSubstr("ok   proves on processor, ")));
  EXPECT_FALSE(std::filesystem::exists(folder / "state")) << "nothing is changed";
  const auto no_directory = check({"-l", address(), "--set", setting("jobs.journal", "file/journal")});
  EXPECT_EQ(no_directory.status, 1);
  EXPECT_THAT(no_directory.out, HasSubstr("fail jobs.journal: " + (folder / "file").string() + " is no directory"));
  const auto no_gpu = check({"-l", address(), "--device", "cuda:97"});
  EXPECT_EQ(no_gpu.status, 1);
  EXPECT_THAT(no_gpu.out, HasSubstr("cuda:97"));
}

TEST_F(CheckTest, WarnsOfKeysThatAreNotThereAndSecretsThatAreOpen) {
  const test::Authority authority("test");
  authority.issue("daemon", folder / "c.pem", folder / "k.pem", 5);
  std::ofstream(folder / "tokens") << "a-token-of-the-tests\n";
  std::filesystem::permissions(folder / "tokens", std::filesystem::perms{0644});
  const auto outcome =
      check({"-l", address(), "--set", "srs.param_cache=/nowhere/keys", "--set",
             "tls.certificate=" + (folder / "c.pem").string(), "--set", "tls.key=" + (folder / "k.pem").string(),
             "--set", "tls.token_file=" + (folder / "tokens").string()});
  EXPECT_EQ(outcome.status, 0) << outcome.out;
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("warn srs.param_cache: there is no directory /nowhere/keys"),
                    HasSubstr("ok   certificate: CN = daemon"), HasSubstr("days until it is no longer valid"),
                    HasSubstr("ok   tokens: 1"), HasSubstr("tokens: everyone on this machine can read it")));
}

TEST_F(CheckTest, WrongUseIsTwoAndAWrongFileIsOne) {
  EXPECT_EQ(check({"--no-such-option"}).status, 2);
  EXPECT_EQ(check({"--set", "no-equals-sign"}).status, 2);
  const auto outcome = check({"--set", "daemon.listem=x"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("--set: there is no key daemon.listem"), HasSubstr("daemon.listen?")));
}

}  // namespace
}  // namespace cuzk::server
