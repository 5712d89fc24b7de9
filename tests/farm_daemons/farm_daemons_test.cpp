// What a farm promises, with four daemons: any accepts, any proves, nothing is lost and nothing is told in two versions
// whatever dies.
#include <httplib.h>

#include <nlohmann/json.hpp>

#include "farm_daemons/daemons_fixture.h"

namespace cuzk::server {
namespace {

using testing::HasSubstr;

class FarmDaemonsTest : public FarmDaemons {
 protected:
  int readiness(std::size_t i, std::string* body = nullptr) const {
    httplib::Client http(folder / ("h" + std::to_string(i)));
    http.set_address_family(AF_UNIX);
    const auto answer = http.Get("/readyz");
    if (!answer) return 0;
    if (body != nullptr) *body = answer->body;
    return answer->status;
  }

  /// Partitions that all daemons prove at this moment.
  u64 proving() const {
    u64 sum = 0;
    for (std::size_t i = 0; i < kDaemons; ++i) {
      httplib::Client http(folder / ("h" + std::to_string(i)));
      http.set_address_family(AF_UNIX);
      if (const auto answer = http.Get("/status"))
        sum += nlohmann::json::parse(answer->body)["buffers"]["provers_in_flight"].get<u64>();
    }
    return sum;
  }

  long leased() const { return database->number("select count(*) from cuzk.job where state = 'leased'"); }

  /// The database takes no change of the job "refused" of which this is true.
  static void refuse(const std::string& condition) {
    database->run(
        "create or replace function refuse() returns trigger language plpgsql as $$ begin raise exception 'no such "
        "end'; "
        "end $$; create trigger refuse before update on cuzk.job for each row "
        "when (new.request_id = 'refused' and " +
        condition + ") execute function refuse()");
  }

  /// Runs `work` while clients load all daemons.
  template <class Work>
  void under_load(Work&& work) {
    std::atomic<bool> ends = false;
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < 4; ++i) threads.emplace_back([this, i, &ends] { load(i, ends); });
    work();
    ends = true;
  }
};

TEST_F(FarmDaemonsTest, AnyAcceptsAndAnyIdleOneProves) {
  ASSERT_NO_FATAL_FAILURE(start_all());
  std::vector<std::string> ids;
  for (int i = 0; i < 60; ++i)
    ids.push_back(client(0)->submit(toy("job " + std::to_string(i), static_cast<std::size_t>(i % 5))).job_id());
  for (const auto& id : ids) EXPECT_EQ(client(3)->await(id, 0, 60s).status(), Response::COMPLETED);
  EXPECT_GE(database->number("select count(distinct daemon_name) from cuzk.job"), 3);
  EXPECT_EQ(client(1)->submit(toy("job 0", 0)).job_id(), ids[0]) << "joined, whoever was asked";
  EXPECT_EQ(client(2)->prove(toy("job 0", 0), 60s).job_id(), ids[0]);
  EXPECT_THAT(client(2)->jobs(true).jobs().size(), 60);
}

TEST_F(FarmDaemonsTest, ErrorsAreToldAsByOneDaemon) {
  ASSERT_NO_FATAL_FAILURE(start_all());
  const auto error_of = [](auto&& work) {
    try {
      work();
    } catch (const Error& error) {
      return std::string(name(error.code()));
    }
    return std::string("none");
  };
  EXPECT_EQ(error_of([&] { client(0)->await("no such job"); }), "not_found");
  EXPECT_EQ(error_of([&] { client(0)->cancel("no such job"); }), "not_found");
  EXPECT_EQ(error_of([&] { client(0)->watch("no such job", [](const auto&) { return true; }); }), "not_found");
  auto large = toy("large");
  large.set_vanilla_proof(std::string(2 << 20, '7'));
  EXPECT_EQ(error_of([&] { client(0)->submit(large); }), "resource_exhausted") << "there is no object directory";
  auto wrong = toy("wrong");
  wrong.set_vanilla_proof("{}");
  const auto answer = client(0)->prove(wrong, 60s);
  EXPECT_EQ(answer.status(), Response::FAILED);
  EXPECT_THAT(answer.error_message(), testing::Not(testing::IsEmpty()));
}

TEST_F(FarmDaemonsTest, LargeInputsGoThroughTheObjectDirectory) {
  farm_settings += "inline_input = \"0B\"\nobjects = \"" + (folder / "objects").string() + "\"\n";
  ASSERT_NO_FATAL_FAILURE(start_all());
  const auto id = client(0)->submit(toy("one")).job_id();
  EXPECT_EQ(client(1)->await(id, 0, 60s).status(), Response::COMPLETED);
  EXPECT_EQ(database->number("select count(*) from cuzk.input where bytes is null"), 1);
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "objects"))
    files += entry.is_regular_file() ? 1 : 0;
  EXPECT_EQ(files, 1u);
}

TEST_F(FarmDaemonsTest, WhatIsCriticalDoesNotWaitBehindLeases) {
  prove_delay_ms = 3000;
  ASSERT_NO_FATAL_FAILURE(start_all());
  for (int i = 0; i < 40; ++i) client(0)->submit(toy("job " + std::to_string(i)));
  for (int i = 0; i < 200 && database->number("select count(*) from cuzk.job where state = 'leased'") < 8; ++i)
    std::this_thread::sleep_for(50ms);
  const auto answer = client(0)->prove(toy("urgent", 1, v1::CRITICAL), 60s);
  EXPECT_EQ(answer.status(), Response::COMPLETED);
  EXPECT_GE(database->number("select count(*) from cuzk.job where state = 'queued'"), 15) << "the others still wait";
}

TEST_F(FarmDaemonsTest, WhatBecomesCriticalDoesNotWaitBehindWhatItsMachineProves) {
  prove_delay_ms = 120'000;
  ASSERT_NO_FATAL_FAILURE(start_all());
  for (int i = 0; i < 8; ++i) client(0)->submit(toy("job " + std::to_string(i)));
  ASSERT_TRUE(becomes_true([&] { return leased() == 8 && proving() == 4; })) << "each has one behind the one it proves";
  for (int i = 0; i < 8; ++i) client(1)->submit(toy("job " + std::to_string(i), 0, v1::CRITICAL));
  EXPECT_TRUE(becomes_true([&] { return proving() == 8; }));
  EXPECT_EQ(leased(), 8) << "they were joined";
}

TEST_F(FarmDaemonsTest, WhatBecomesCriticalIsHurriedWhereThatMessageWasLost) {
  prove_delay_ms = 120'000;
  ASSERT_NO_FATAL_FAILURE(start_all());
  database->run("create or replace function cuzk.hurry(p_id text) returns void language sql as ''");
  for (int i = 0; i < 8; ++i) client(0)->submit(toy("job " + std::to_string(i)));
  ASSERT_TRUE(becomes_true([&] { return leased() == 8 && proving() == 4; }));
  for (int i = 0; i < 8; ++i) client(1)->submit(toy("job " + std::to_string(i), 0, v1::CRITICAL));
  EXPECT_TRUE(becomes_true([&] { return proving() == 8; })) << "by the next heartbeat";
}

#ifdef CUZK_FAILPOINTS
TEST_F(FarmDaemonsTest, WhatCouldNotBeHurriedIsHurriedAtTheNextHeartbeat) {
  prove_delay_ms = 120'000;
  armed.fill("farm.hurry=error:internal*1");
  ASSERT_NO_FATAL_FAILURE(start_all());
  for (int i = 0; i < 8; ++i) client(0)->submit(toy("job " + std::to_string(i)));
  ASSERT_TRUE(becomes_true([&] { return leased() == 8 && proving() == 4; }));
  for (int i = 0; i < 8; ++i) client(1)->submit(toy("job " + std::to_string(i), 0, v1::CRITICAL));
  EXPECT_TRUE(becomes_true([&] { return proving() == 8; }));
}
#endif

TEST_F(FarmDaemonsTest, PartitionsOfOneSectorRunOnSeveralMachines) {
  prove_delay_ms = 200;
  ASSERT_NO_FATAL_FAILURE(start_all());
  const auto begin = std::chrono::steady_clock::now();
  const auto answer = client(0)->prove(sector("one"), 60s);
  RecordProperty("seconds",
                 std::to_string(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()));
  ASSERT_EQ(answer.status(), Response::COMPLETED) << answer.error_message();
  EXPECT_EQ(answer.proof().size(), 10u * 192);
  EXPECT_GE(database->number("select count(distinct daemon_name) from cuzk.job where parent is not null"), 2);
  auto wrong = sector("two");
  wrong.set_vanilla_proof(wrong.vanilla_proof() + toy("").vanilla_proof());  // 11, where the size says 10
  const auto eleven = client(1)->prove(wrong, 60s);
  ASSERT_EQ(eleven.status(), Response::COMPLETED) << eleven.error_message();
  EXPECT_EQ(eleven.proof().size(), 11u * 192) << "one machine looked at the whole";
}

TEST_F(FarmDaemonsTest, TheWorkOfAKilledDaemonIsTakenUpByAnother) {
  prove_delay_ms = 120'000;
  ASSERT_NO_FATAL_FAILURE(start_all());
  client(0)->submit(toy("one"));
  ASSERT_TRUE(becomes_true([&] { return proving() == 1; }));
  const auto holder = static_cast<std::size_t>(
      database->number("select substr(daemon_name, 8)::int from cuzk.job where state = 'leased'"));
  const auto begin = std::chrono::steady_clock::now();
  kill(holder);
  ASSERT_TRUE(becomes_true([&] { return database->number("select max(lease) from cuzk.job") == 2; }));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  RecordProperty("seconds", std::to_string(seconds));
  std::cout << "recovered after " << seconds << " s with a lease of 2 s\n";
}

TEST_F(FarmDaemonsTest, ACancelledJobEndsWhereverItRuns) {
  prove_delay_ms = 60'000;
  ASSERT_NO_FATAL_FAILURE(start_all());
  const auto id = client(0)->submit(toy("one")).job_id();
  ASSERT_TRUE(becomes_true([&] { return leased() == 1; }));
  EXPECT_TRUE(client(1)->cancel(id).was_running());
  EXPECT_EQ(client(2)->await(id, 0, 40s).status(), Response::CANCELLED);
  const auto busy = [&] {
    int running = 0;
    for (std::size_t i = 0; i < kDaemons; ++i) {
      const auto status = client(i)->status();
      for (const auto& queue : status.queues()) running += static_cast<int>(queue.in_progress());
    }
    return running;
  };
  for (int i = 0; i < 100 && busy() != 0; ++i) std::this_thread::sleep_for(50ms);
  EXPECT_EQ(busy(), 0) << "the daemon that had it has stopped working on it";
}

TEST_F(FarmDaemonsTest, NothingIsLostWhenDaemonsAreKilledAtRandom) {
  ASSERT_NO_FATAL_FAILURE(start_all());
  std::mt19937 random(20261130);
  under_load([&] {
    for (int round = 0; round < kills(8); ++round) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50 + random() % 250));
      const std::size_t victim = random() % kDaemons;
      kill(victim);
      launch(victim);
    }
  });
  expect_all_proved();
}

TEST_F(FarmDaemonsTest, NothingIsLostWhenConnectionsAreCut) {
  ASSERT_NO_FATAL_FAILURE(start_all());
  under_load([&] {
    for (int round = 0; round < 20; ++round) {
      std::this_thread::sleep_for(100ms);
      database->run(
          "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'cuzk' and random() < 0.5");
    }
  });
  expect_all_proved();
  EXPECT_EQ(refused, 0) << "a connection that is cut is made anew, and nobody notices";
}

TEST_F(FarmDaemonsTest, TheDatabaseStopsForTenSeconds) {
  farm_settings = "lease = \"10s\"\nheartbeat = \"300ms\"\npoll = \"200ms\"\n";  // more than its start takes
  ASSERT_NO_FATAL_FAILURE(start_all());
  std::string body;
  under_load([&] {
    std::this_thread::sleep_for(500ms);
    database->stop(farm::Postgres::Stop::crash);
    std::this_thread::sleep_for(2s);
    for (int i = 0; i < 100 && readiness(0, &body) != 503; ++i) std::this_thread::sleep_for(50ms);
    EXPECT_EQ(readiness(0), 503);
    EXPECT_THAT(body, HasSubstr("database"));
    EXPECT_NE(client(0), nullptr) << "the daemon answers";
    std::this_thread::sleep_for(8s);
    database->start();
    for (int i = 0; i < 400 && readiness(0) != 200; ++i) std::this_thread::sleep_for(50ms);
    EXPECT_EQ(readiness(0), 200);
    std::this_thread::sleep_for(500ms);
  });
  EXPECT_GT(refused, 0);
  expect_all_proved();
  EXPECT_EQ(database->number("select max(attempts) from cuzk.job"), 1) << "no work was done twice for it";
}

TEST_F(FarmDaemonsTest, AResultThatIsRefusedKeepsNoOther) {
  farm_settings = "lease = \"2s\"\nheartbeat = \"300ms\"\npoll = \"200ms\"\nkey_grace = \"0ms\"\nmax_attempts = 3\n";
  ASSERT_NO_FATAL_FAILURE(start_all());
  refuse("new.state = 'completed'");
  const auto refused = client(0)->submit(toy("refused")).job_id();
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(client(0)->prove(toy("job " + std::to_string(i)), 60s).status(), Response::COMPLETED);
  const auto answer = client(1)->await(refused, 0, 60s);
  EXPECT_EQ(answer.status(), Response::FAILED);
  EXPECT_THAT(answer.error_message(), testing::AllOf(HasSubstr("after 3 attempts"), HasSubstr("no such end")));
}

TEST_F(FarmDaemonsTest, ALeaseThatCannotBeGivenBackKeepsNoOther) {
  ASSERT_NO_FATAL_FAILURE(start_all());
  refuse("new.state <> 'leased'");
  client(0)->submit(toy("refused"));
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(client(0)->prove(toy("job " + std::to_string(i)), 60s).status(), Response::COMPLETED);
  EXPECT_EQ(readiness(0), 200);
  database->run("drop trigger refuse on cuzk.job");
  EXPECT_EQ(client(1)->prove(toy("refused"), 60s).status(), Response::COMPLETED) << "once it is taken, it ends";
}

TEST_F(FarmDaemonsTest, AStoppedDaemonGivesBackAndLeaves) {
  ASSERT_NO_FATAL_FAILURE(start_all());
  expect_all_known();
  daemons[1]->signal(SIGTERM);
  EXPECT_EQ(daemons[1]->wait(), 0) << log(1);
  EXPECT_EQ(database->number("select count(*) from cuzk.daemon"), 3);
}

TEST_F(FarmDaemonsTest, StatusShowsTheWholeFarm) {
  ASSERT_NO_FATAL_FAILURE(start_all());
  expect_all_known();
  client(0)->prove(toy("one"), 60s);
  const auto file = configuration(0);
  const auto outcome = test::run({CUZK_PROGRAM, "farm", "status", "-c", file, "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto view = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(view["daemons"].size(), 4u);
  EXPECT_EQ(view["results"]["completed"], 1);
  std::string text;
  EXPECT_TRUE(becomes_true([&] {  // a daemon says at its next look which keys it has
    text = test::run({CUZK_PROGRAM, "farm", "status", "-c", file}).out;
    return text.find("keys: toy") != std::string::npos;
  }));
  EXPECT_THAT(text, testing::AllOf(HasSubstr("4 daemons are alive"), HasSubstr("machine3"), HasSubstr("keys: toy")));
  const auto nowhere = (folder / "keys/toy.params/objects").string();
  const auto check = test::run({CUZK_PROGRAM, "serve", "-c", file, "--check", "--set", "farm.objects=" + nowhere});
  EXPECT_THAT(check.out, testing::AllOf(HasSubstr("ok   farm: PostgreSQL"), HasSubstr("fail farm.objects: ")));
}

}  // namespace
}  // namespace cuzk::server
