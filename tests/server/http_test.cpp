// The daemon's HTTP side, asked by a client of the same library and by raw bytes.
#include <httplib.h>

#include <nlohmann/json.hpp>
#include <set>

#include "server/daemon_fixture.h"
#include "server/free_port.h"
#include "server/page.h"

namespace cuzk::server {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

class HttpTest : public DaemonTest {
 protected:
  Client& start_with_http(std::vector<std::string> more = {}) {
    more.insert(more.end(), {"--set", "daemon.status_listen=" + http});
    return start(more);
  }

  httplib::Result get(const std::string& path) const { return httplib::Client("http://" + http).Get(path.c_str()); }
  json status() const { return json::parse(get("/status")->body); }

  const std::string http = test::free_address();
};

std::vector<std::string> names_of(const json& object) {
  std::vector<std::string> names;
  for (const auto& [name, value] : object.items()) names.push_back(name);
  return names;
}

TEST_F(HttpTest, StatusHasEveryFieldThatDashboardsPoll) {
  start_with_http();
  ASSERT_EQ(client->prove(toy("a")).status(), v1::AwaitProofResponse::COMPLETED);
  const auto answer = get("/status");
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->get_header_value("Access-Control-Allow-Origin"), "*");
  EXPECT_EQ(answer->get_header_value("Content-Type"), "application/json");
  const auto object = json::parse(answer->body);
  EXPECT_THAT(names_of(object),
              testing::UnorderedElementsAre("uptime_secs", "memory", "synthesis", "pipelines", "gpu_workers", "devices",
                                            "allocations", "counters", "buffers"));
  EXPECT_GT(object["memory"]["used_bytes"], 0);
  EXPECT_GE(object["memory"]["total_bytes"], object["memory"]["available_bytes"]);
  EXPECT_EQ(object["synthesis"], json({{"max_concurrent", 4}, {"active", 0}}));
  EXPECT_EQ(object["pipelines"], json::array());
  ASSERT_EQ(object["gpu_workers"].size(), 4u) << "three lanes and one for urgent jobs";
  for (const auto& worker : object["gpu_workers"]) EXPECT_EQ(worker["state"], "idle");
  EXPECT_GE(object["allocations"]["srs"][0]["last_used_secs_ago"], 0);
  EXPECT_EQ(object["allocations"]["srs"][0]["circuit_id"], "toy");
  EXPECT_EQ(object["allocations"]["srs"][0]["evictable"], true);
  ASSERT_EQ(object["allocations"]["pce"].size(), 1u);
  EXPECT_EQ(object["allocations"]["pce"][0]["circuit_id"], "toy");
  EXPECT_GT(object["allocations"]["pce"][0]["bytes"], 0);
  EXPECT_EQ(object["allocations"]["pce"][0]["evictable"], false);
  EXPECT_EQ(object["counters"]["total_completed"], 1);
  EXPECT_EQ(object["counters"]["completed_by_kind"]["porep-c2"], 1);
  EXPECT_EQ(object["counters"]["failed_by_kind"]["window-post"], 0);
  EXPECT_EQ(object["counters"]["queue_depth"], 0);
  EXPECT_THAT(names_of(object["buffers"]),
              testing::UnorderedElementsAre("synth_in_flight", "provers_in_flight", "aux_in_flight", "shells_in_flight",
                                            "pending_handles"));
  EXPECT_EQ(get("/status/anything")->status, 200) << "existing dashboards ask below it";
}

TEST_F(HttpTest, StatusShowsTheJobThatRunsAndTheOnesThatWait) {
  start_with_http({"--insecure-prove-delay", "60000"});
  const auto running = client->submit(toy("running")).job_id();
  while (status()["gpu_workers"][0]["state"] != "proving") std::this_thread::sleep_for(5ms);
  for (const char* name : {"b", "c", "d", "e"}) client->submit(toy(name, 1));  // more than there are lanes
  const auto object = status();
  ASSERT_GE(object["pipelines"].size(), 1u);
  const auto& pipeline = object["pipelines"][0];
  EXPECT_EQ(pipeline["job_id"], running);
  EXPECT_EQ(pipeline["proof_kind"], "porep-c2");
  EXPECT_EQ(pipeline["total_partitions"], 1);
  EXPECT_EQ(pipeline["partitions_done"], 0);
  EXPECT_EQ(pipeline["partitions"][0]["index"], 0);
  EXPECT_EQ(pipeline["partitions"][0]["state"], "gpu");
  while (status()["pipelines"][0]["partitions"][0]["gpu_ms"] == 0) std::this_thread::sleep_for(5ms);
  EXPECT_EQ(object["gpu_workers"][0]["current_job"], running);
  EXPECT_GE(object["counters"]["queue_depth"], 1);
  EXPECT_GE(object["buffers"]["provers_in_flight"], 1);
}

TEST_F(HttpTest, EveryDeviceIsShownByItsName) {
  start_with_http({"--insecure-processors", "2"});
  client->preload("toy");
  const auto object = status();
  ASSERT_EQ(object["gpu_workers"].size(), 8u);
  for (const std::size_t i : {0, 4}) {
    EXPECT_EQ(object["gpu_workers"][i]["gpu_ordinal"], i / 4);
    EXPECT_EQ(object["gpu_workers"][i]["device"], i == 0 ? "cpu:0" : "cpu:1");
  }
  ASSERT_EQ(object["allocations"]["srs"].size(), 2u) << "the key is on both";
  EXPECT_EQ(object["allocations"]["srs"][1]["device"], "cpu:1");
  ASSERT_EQ(object["devices"].size(), 2u);
  EXPECT_EQ(object["devices"][1]["state"], "active");
  EXPECT_THAT(get("/metrics")->body, HasSubstr("cuzk_gpu_workers 2"));
  const auto answer = client->status();
  ASSERT_EQ(answer.gpus_size(), 2);
  EXPECT_EQ(answer.gpus(1).ordinal(), 1u);
  EXPECT_THAT(answer.gpus(1).name(), testing::StartsWith("cpu:1"));
  EXPECT_EQ(client->prove(toy("a")).status(), v1::AwaitProofResponse::COMPLETED);
}

TEST_F(HttpTest, AKeyIsShownInItsTier) {
  start_with_http();
  client->preload("toy");
  const auto tier = [&] { return status()["allocations"]["files"][0]; };
  EXPECT_EQ(tier()["circuit_id"], "toy");
  EXPECT_EQ(tier()["tier"], "hot");
  EXPECT_EQ(client->status().loaded_srs(0).tier(), v1::SRSStatus::HOT);
  EXPECT_EQ(client->status().loaded_srs(0).device(), "cpu");
  client->evict("toy");
  EXPECT_EQ(tier()["tier"], "warm") << "its file was just read";
  EXPECT_EQ(client->status().loaded_srs(0).tier(), v1::SRSStatus::WARM);
}

TEST_F(HttpTest, MetricsHaveTheirNamesAndAHistogramForEachStage) {
  start_with_http();
  ASSERT_EQ(client->prove(toy("a")).status(), v1::AwaitProofResponse::COMPLETED);
  const auto answer = get("/metrics");
  EXPECT_THAT(answer->get_header_value("Content-Type"), HasSubstr("version=0.0.4"));
  for (const char* name :
       {"cuzk_proofs_completed_total 1", "cuzk_proofs_failed_total 0", "cuzk_uptime_seconds ", "cuzk_queue_depth 0",
        "cuzk_proofs_completed{proof_kind=\"porep_c2\"} 1", "cuzk_proofs_failed{proof_kind=\"snap_update\"} 0",
        "cuzk_proof_duration_seconds_count{proof_kind=\"porep_c2\"} 1", "cuzk_proof_duration_seconds_sum{",
        "cuzk_running_jobs 0", "cuzk_gpu_workers 1", "cuzk_key_bytes{circuit_id=\"toy\",device=\"cpu\"} ",
        "cuzk_resident_bytes "})
    EXPECT_THAT(answer->body, HasSubstr(name));
  for (const std::string stage : {"queue", "key_load", "witness", "device", "verify", "total"})
    EXPECT_THAT(answer->body, HasSubstr("cuzk_stage_seconds_count{proof_kind=\"porep_c2\",stage=\"" + stage + "\"} 1"));
  EXPECT_THAT(answer->body,
              HasSubstr("cuzk_stage_seconds_bucket{proof_kind=\"winning_post\",stage=\"device\",le=\"1\"} 0"));
}

TEST_F(HttpTest, TracesShowEveryStageOfAJob) {
  start_with_http({"--set", "jobs.keep_traces=1"});
  const auto id = client->submit(toy("a")).job_id();
  ASSERT_EQ(client->await(id).status(), v1::AwaitProofResponse::COMPLETED);
  const auto answer = get("/trace/" + id);
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->get_header_value("Content-Type"), "application/json");
  EXPECT_EQ(answer->body, client->trace(id));
  std::set<std::string> names;
  const json trace = json::parse(answer->body);
  for (const auto& event : trace["traceEvents"]) names.insert(event["name"]);
  for (const char* name : {"queue", "decode", "circuit", "key", "witness", "prove", "msm_h", "verify"})
    EXPECT_TRUE(names.contains(name)) << name;

  client->await(client->submit(toy("b", 1)).job_id());
  EXPECT_EQ(get("/trace/" + id)->status, 404) << "the newest alone is kept";
  EXPECT_THAT(get("/trace/none")->body, HasSubstr("'none' is not known"));
  error_of(Code::not_found, [&] { client->trace(id); });
}

TEST_F(HttpTest, HealthAndReadinessFollowTheDaemonsLife) {
  start_with_http({"--insecure-prove-delay", "60000"});
  EXPECT_EQ(get("/healthz")->status, 200);
  EXPECT_EQ(get("/readyz")->status, 200);
  EXPECT_EQ(json::parse(get("/readyz")->body)["kinds"]["winning-post"], true);
  EXPECT_EQ(get("/readyz/window-post")->status, 200);
  EXPECT_EQ(get("/readyz/no-such-kind")->status, 404);
  client->submit(toy("a"));
  daemon->signal(SIGTERM);
  while (get("/readyz")->status == 200) std::this_thread::sleep_for(5ms);
  EXPECT_EQ(get("/readyz")->status, 503);
  EXPECT_EQ(json::parse(get("/readyz")->body)["draining"], true);
  EXPECT_EQ(get("/readyz/window-post")->status, 503);
  EXPECT_EQ(get("/healthz")->status, 200) << "a draining daemon must not be killed";
}

TEST_F(HttpTest, APathThatIsNotThereNamesThoseThatAre) {
  start_with_http();
  const auto answer = get("/nonsense");
  EXPECT_EQ(answer->status, 404);
  EXPECT_THAT(answer->body, AllOf(HasSubstr("/metrics"), HasSubstr("/readyz")));
}

TEST_F(HttpTest, ManySilentConnectionsDoNotKeepItFromAnswering) {
  start_with_http();
  std::vector<int> silent;
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  name.sin_port = htons(static_cast<u16>(std::stoi(http.substr(http.find(':') + 1))));
  for (std::size_t i = 0; i < 2 + kMostViewers; ++i) {  // one for each thread
    silent.push_back(::socket(AF_INET, SOCK_STREAM, 0));
    ASSERT_EQ(::connect(silent.back(), reinterpret_cast<const sockaddr*>(&name), sizeof(name)), 0);
  }
  httplib::Client patient("http://" + http);
  patient.set_read_timeout(60);
  const auto answer = patient.Get("/healthz");
  ASSERT_TRUE(answer) << "the silent ones are closed in time";
  EXPECT_EQ(answer->status, 200);
  for (const int descriptor : silent) ::close(descriptor);
}

TEST_F(HttpTest, ListensOnAUnixSocketToo) {
  start({"--set", "daemon.status_listen=unix://" + (folder / "http").string()});
  httplib::Client unix_client((folder / "http").string());
  unix_client.set_address_family(AF_UNIX);
  const auto answer = unix_client.Get("/healthz");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200);
}

TEST_F(HttpTest, AnAddressThatOthersReachIsRefusedUnlessItIsMeant) {
  const auto outcome = test::run({CUZK_PROGRAM, "serve", "-l", address(), "--set", "daemon.status_listen=0.0.0.0:0"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("0.0.0.0:0"), HasSubstr("daemon.status_public")));
  const auto taken = test::free_address();
  start({"--set", "daemon.status_listen=" + taken});
  const auto second = test::run(
      {CUZK_PROGRAM, "serve", "-l", "unix://" + (folder / "t").string(), "--set", "daemon.status_listen=" + taken});
  EXPECT_EQ(second.status, 1);
  EXPECT_THAT(second.err, HasSubstr("cannot listen on " + taken));
}

}  // namespace
}  // namespace cuzk::server
