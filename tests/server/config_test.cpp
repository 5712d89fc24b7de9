#include "server/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace cuzk::server {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::string error_of(std::string_view toml) {
  try {
    parse_config(toml, "cuzk.toml");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::invalid_input);
    return error.what();
  }
  return "no error";
}

TEST(Config, TheDefaultsAreThoseOfExistingInstallations) {
  const auto config = parse_config("", "cuzk.toml");
  EXPECT_THAT(config.listen, ElementsAre("unix:///run/curio/cuzk.sock"));
  EXPECT_EQ(config.threads, 0u);
}

TEST(Config, ReadsItsKeys) {
  const auto config = parse_config(R"(
    [daemon]
    listen = "unix:///tmp/a.sock, 127.0.0.1:9820"
    [srs]
    param_cache = "/data/zk/params"
    preload = ["porep-32g", "winning-32g"]
    [synthesis]
    threads = 8
    [logging]
    level = "debug"
    format = "json"
    [jobs]
    max_queued = 5
    max_queued_size = "2GiB"
    keep_count = 7
    keep_size = 4096
    keep_time = "2h"
    keep_traces = 3
    [memory]
    keep_pages = "1GiB"
    keep_pages_idle = "10s"
  )",
                                   "cuzk.toml");
  EXPECT_THAT(config.listen, ElementsAre("unix:///tmp/a.sock", "127.0.0.1:9820"));
  EXPECT_EQ(config.param_cache, "/data/zk/params");
  EXPECT_THAT(config.preload, ElementsAre("porep-32g", "winning-32g"));
  EXPECT_EQ(config.threads, 8u);
  EXPECT_EQ(config.log.level, spdlog::level::debug);
  EXPECT_EQ(config.log.format, LogFormat::json);
  EXPECT_EQ(config.engine.max_queued, 5u);
  EXPECT_EQ(config.engine.max_queued_bytes, u64{2} << 30);
  EXPECT_EQ(config.engine.retention.jobs, 7u);
  EXPECT_EQ(config.engine.retention.bytes, 4096u);
  EXPECT_EQ(config.engine.retention.age, 2h);
  EXPECT_EQ(config.engine.keep_traces, 3u);
  EXPECT_EQ(config.keep_pages, u64{1} << 30);
  EXPECT_EQ(config.engine.idle_after, 10s);
}

TEST(Config, TakesTheKeysOfExistingFilesAndSaysThatTheyHaveNoEffect) {
  const auto config = parse_config(R"(
    [memory]
    total_budget = "auto"
    safety_margin = "5GiB"
    eviction_min_idle = "5m"
    [pipeline]
    enabled = true
  )",
                                   "cuzk.toml");
  EXPECT_THAT(config.unused, testing::UnorderedElementsAre("memory.eviction_min_idle", "pipeline.enabled"));
  EXPECT_EQ(config.memory_budget, std::nullopt);
}

TEST(Config, ReadsBudgetsBatchesAndTheJournal) {
  const auto config = parse_config(R"(
    [memory]
    total_budget = "16GiB"
    safety_margin = "1GiB"
    [scheduler]
    max_batch_size = 3
    max_batch_wait_ms = 250
    sort_by_type = false
    [jobs]
    journal = "/var/lib/cuzk/journal"
  )",
                                   "cuzk.toml");
  EXPECT_EQ(config.memory_budget, u64{16} << 30);
  EXPECT_EQ(config.memory_margin, u64{1} << 30);
  EXPECT_EQ(config.engine.policy.max_batch_size, 3u);
  EXPECT_EQ(config.engine.policy.max_batch_wait, 250ms);
  EXPECT_EQ(config.engine.policy.key_order, engine::KeyOrder::by_rank);
  EXPECT_EQ(config.journal, "/var/lib/cuzk/journal");
  EXPECT_THAT(error_of("[scheduler]\nmax_batch_size = 0\n"), HasSubstr("expected 1 to 1024"));
}

TEST(Config, BudgetsOfKeysAreSizesOrTheMachines) {
  const auto config = parse_config("[srs]\nwarm_budget = \"64GiB\"\n[gpus]\nmemory = \"24GiB\"\n", "cuzk.toml");
  EXPECT_EQ(config.warm_budget, u64{64} << 30);
  EXPECT_EQ(config.gpu_memory, u64{24} << 30);
  EXPECT_EQ(parse_config("[srs]\nwarm_budget = 0\n", "cuzk.toml").warm_budget, 0u);
  EXPECT_EQ(parse_config("[gpus]\nmemory = \"auto\"\n", "cuzk.toml").gpu_memory, std::nullopt);
}

TEST(Config, DevicesAreNamedOrNumbered) {
  const auto devices = [](const std::string& text) {
    return parse_config("[gpus]\ndevices = " + text, "cuzk.toml").devices;
  };
  EXPECT_THAT(devices("[]"), ElementsAre());
  EXPECT_THAT(devices("\"auto\""), ElementsAre());
  EXPECT_THAT(devices("[0, 1]"), ElementsAre("cuda:0", "cuda:1"));
  EXPECT_THAT(devices(R"(["cuda:1", "cuda:0"])"), ElementsAre("cuda:1", "cuda:0"));
  EXPECT_THAT(devices("\"cpu\""), ElementsAre("cpu"));
  Config config;
  set_overrides(config, {{"gpus.devices", "cuda:0,2", "--device"}});
  EXPECT_THAT(config.devices, ElementsAre("cuda:0", "cuda:2"));
  for (const char* wrong : {R"(["gpu0"])", R"(["cuda:"])", R"(["cuda:1x"])", "[true]", "[-1]"})
    EXPECT_THAT(error_of(std::string("[gpus]\ndevices = ") + wrong), HasSubstr("gpus.devices")) << wrong;
  EXPECT_THAT(error_of("[gpus]\ndevices = [0, \"cuda:0\"]"), HasSubstr("cuda:0 is named twice"));
  EXPECT_THAT(error_of("[gpus]\ndevices = [\"cpu\", 0]"), HasSubstr("the processor proves alone"));
}

TEST(Config, ErrorsNameLineAndKey) {
  EXPECT_THAT(error_of("[daemon]\nlisten = 5\n"), AllOf(HasSubstr("cuzk.toml, line 2"), HasSubstr("daemon.listen")));
  EXPECT_THAT(error_of("[daemon]\n\nlistn = \"a\"\n"), AllOf(HasSubstr("line 3"), HasSubstr("daemon.listn")));
  EXPECT_THAT(error_of("\n[deamon]\nlisten = \"a:1\"\n"), AllOf(HasSubstr("line 2"), HasSubstr("[deamon]")));
  EXPECT_THAT(error_of("[daemon]\nlisten = \"nowhere\"\n"), AllOf(HasSubstr("line 2"), HasSubstr("'nowhere'")));
  EXPECT_THAT(error_of("[synthesis]\nthreads = -1\n"), HasSubstr("synthesis.threads is -1"));
  EXPECT_THAT(error_of("[srs]\npreload = [\"a\", 5]\n"), HasSubstr("line 2: srs.preload: item 1 must be a string"));
  EXPECT_THAT(error_of("[srs]\npreload = \"porep-2k\"\n"), HasSubstr("srs.preload must be a list of strings"));
  EXPECT_THAT(error_of("[srs]\npreload = [\"porep-2k\", \"porep-3k\"]\n"),
              AllOf(HasSubstr("line 2: srs.preload: item 1: there is no circuit 'porep-3k'"), HasSubstr("porep-2k")));
  EXPECT_THAT(error_of("[memory]\ntotal_budget = \"much\"\n"), HasSubstr("'much'"));
  EXPECT_THAT(error_of("[daemon\nlisten"), HasSubstr("cuzk.toml, line 1"));
}

TEST(Config, AWordThatIsNearlyAKeyGetsAHint) {
  EXPECT_THAT(error_of("[daemon]\nlistn = \"a:1\"\n"), HasSubstr("did you mean daemon.listen?"));
  EXPECT_THAT(error_of("[deamon]\nlisten = \"a:1\"\n"), HasSubstr("did you mean daemon?"));
  EXPECT_THAT(error_of("[daemon]\nwhatever = 1\n"), testing::Not(HasSubstr("did you mean")));
}

TEST(Config, ImpossibleValuesAreNamed) {
  EXPECT_THAT(error_of("[daemon]\nsocket_mode = \"0888\"\n"), HasSubstr("expected an octal number"));
  EXPECT_THAT(error_of("[daemon]\nsocket_mode = \"1777\"\n"), HasSubstr("expected an octal number"));
  EXPECT_THAT(error_of("[daemon]\nmax_message_size = \"3GiB\"\n"), HasSubstr("daemon.max_message_size"));
  EXPECT_THAT(error_of("[logging]\nmodules = { motor = \"info\" }\n"), HasSubstr("'motor', expected one of engine"));
  EXPECT_THAT(error_of("[logging]\nmodules = { rpc = 5 }\n"), HasSubstr("logging.modules.rpc must be a string"));
}

TEST(Config, SizesAndTimes) {
  EXPECT_EQ(parse_size("5GiB"), u64{5} << 30);
  EXPECT_EQ(parse_size("1 MB"), 1'000'000u);
  EXPECT_EQ(parse_size("12"), 12u);
  EXPECT_EQ(parse_duration("5m"), 5min);
  EXPECT_EQ(parse_duration("250ms"), 250ms);
  for (const char* wrong : {"", "GiB", "5 apples", "-1", "99999999999TiB", "1.5GiB"}) {
    EXPECT_THROW(parse_size(wrong), Error) << wrong;
  }
  EXPECT_THROW(parse_duration("5"), Error);
  EXPECT_EQ(size_text(u64{5} << 30), "5GiB");
  EXPECT_EQ(size_text(1000), "1000B");
  EXPECT_EQ(size_text(0), "0B");
  EXPECT_EQ(duration_text(24h), "1d");
  EXPECT_EQ(duration_text(1500ms), "1500ms");
}

TEST(Addresses, RefuseAPortThatIsNone) {
  for (const std::string wrong : {"localhost:99999", "127.0.0.1:0x", "localhost:http", "localhost:"})
    EXPECT_THROW(parse_addresses(wrong), Error) << wrong;
  EXPECT_THAT(parse_addresses("[::1]:80,localhost:65535"), ElementsAre("[::1]:80", "localhost:65535"));
}

}  // namespace
}  // namespace cuzk::server
