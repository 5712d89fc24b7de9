// Every call of the database and of the object directory that a daemon of a farm makes is made to fail, one at a time, over
// a mixed workload of two daemons: its connection is lost there, the server refuses it, it fails several times, or the
// daemon ends there. Whatever fails, what was accepted is proved once or has failed with its reason, and nothing is owed.
//
// CUZK_FARM_FAILPOINTS: a regular expression of places, each of which is then tried in every manner; otherwise a few are.
// CUZK_FARM_MINUTES: begins no further one after so many.
#ifdef CUZK_FAILPOINTS
#include <httplib.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "farm_daemons/daemons_fixture.h"

namespace cuzk::server {
namespace {

using Places = std::map<std::string, u64>;  // and how often a daemon passes them

enum class Effort { brief, full };

/// Passed only where something else fails before.
const std::map<std::string, std::string> kAfter{
    {"farm.submit.look", "farm.submit.answer=error:unavailable*1,"},
    {"farm.submit.look.answer", "farm.submit.answer=error:unavailable*1,"},
    {"farm.purge.inputs.keep", "farm.object.remove=error:unavailable*1,"},
};

/// Of commands, not of daemons.
bool is_of_commands(const std::string& place) {
  return place.starts_with("farm.view.") || place.starts_with("farm.describe");
}

/// What stands in the code, with the places that Database makes of each call's.
Places places_in_the_source() {
  std::string text;
  for (const auto& file : std::filesystem::directory_iterator(CUZK_SOURCES)) text += test::text_of(file.path());
  Places places;
  const std::regex call("(CUZK_FAILPOINT|run|transact)\\(\\s*\"(farm\\.[a-z_.]+)\"");
  for (std::sregex_iterator each(text.begin(), text.end(), call), end; each != end; ++each) {
    const std::string kind = (*each)[1], place = (*each)[2];
    places[place];
    if (kind != "CUZK_FAILPOINT") places[place + ".answer"];
    if (kind == "transact") places[place + ".commit"];
  }
  return places;
}

class FailpointWalk : public FarmDaemons {
 protected:
  struct Passes {
    Places places;
    bool came_up = true;
  };

  FailpointWalk() {
    prove_delay_ms = 100;
    farm_settings =
        "lease = \"2s\"\nheartbeat = \"300ms\"\npoll = \"200ms\"\nkey_grace = \"0ms\"\nmax_attempts = 3\n"
        "inline_input = \"100B\"\nobjects = \"" +
        (folder / "objects").string() + "\"\n";
  }

  /// Two daemons on fresh tables, the first with `what` armed, do everything that a farm does.
  Passes play(const std::string& what) {
    SCOPED_TRACE(what);
    start_over();
    armed[0] = what;
    Passes passes;
    launch(0);
    launch(1);
    passes.came_up = awaits_start(what);
    await_client(1);
    audit();
    work(what.find("=abort") != std::string::npos);
    revive();
    expect_ends();
    if (HasFatalFailure()) return passes;
    expect_nothing_owed();
    expect_stop(what);
    std::ifstream file(counts(0));
    std::string place;
    for (u64 count = 0; file >> place >> count;)
      if (place.starts_with("farm.")) passes.places[place] = count;
    return passes;
  }

  void start_over() {
    daemons = {};
    clients = {};
    accepted.clear();
    database->run("drop schema if exists cuzk cascade; drop table if exists ends; drop function if exists note");
    std::filesystem::remove_all(folder / "objects");
    std::filesystem::remove(counts(0));
  }

  /// A start that fails says why, and the next one gets through.
  bool awaits_start(const std::string& what) {
    const auto answers = [&] { return !daemons[0]->runs() || client(0) != nullptr; };
    EXPECT_TRUE(becomes_true(answers)) << log(0);
    if (client(0) != nullptr) return true;
    const bool is_killed = what.find("=abort") != std::string::npos;
    EXPECT_EQ(daemons[0]->wait(), is_killed ? 134 : 1) << log(0);
    if (!is_killed) {
      EXPECT_THAT(log(0), testing::HasSubstr("failpoint"));
    }
    armed[0].clear();
    launch(0);
    await_client(0);
    return false;
  }

  /// What a call gives, or nothing where it was answered with an error, which says why.
  template <class Call>
  auto tolerant(Call&& call) -> std::optional<decltype(call())> {
    try {
      return call();
    } catch (const Error& error) {
      const bool is_told = std::string(error.what()).find("failpoint") != std::string::npos;
      EXPECT_TRUE(is_told || may_die) << error.what();
      ++refused;
      return std::nullopt;
    }
  }

  /// As a client does, again and again at any daemon until it is accepted.
  std::string submit(const v1::SubmitProofRequest& request, std::size_t at) {
    for (std::size_t attempt = 0; attempt < 400; ++attempt) {
      if (const auto any = client((at + attempt) % 2)) {
        if (const auto answer = tolerant([&] { return any->submit(request); })) {
          accepted[answer->job_id()];
          return answer->job_id();
        }
      }
      std::this_thread::sleep_for(25ms);
    }
    ADD_FAILURE() << request.request_id() << " is not accepted";
    return "none";
  }

  void work(bool is_killed) {
    may_die = is_killed;
    const auto shared = submit(sector("sector"), 0);
    const auto first = client(0) != nullptr ? client(0) : client(1), other = client(1);
    tolerant([&] { return other->await(shared, 3000, 30s); });
    std::vector<std::string> jobs;
    for (std::size_t i = 0; i < 6; ++i) jobs.push_back(submit(toy("job " + std::to_string(i), i % 5), i % 2));
    for (std::size_t i = 0; i < 6; i += 2) submit(toy("job " + std::to_string(i), i % 5, v1::CRITICAL), 1);
    auto wrong = toy("wrong");
    wrong.set_vanilla_proof("{}");
    submit(wrong, 0);
    const auto unwanted = submit(toy("unwanted"), 0);
    tolerant([&] { return first->cancel(unwanted); });
    lose_an_input();
    const std::jthread waits([&] { tolerant([&] { return first->await("unreadable", 20'000, 60s); }); });
    std::this_thread::sleep_for(200ms);
    database->run("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'cuzk'");
    tolerant([&] { return first->await(jobs[1], 500, 30s); });
    tolerant([&] { return first->watch(jobs[0], [](const auto&) { return true; }); });
    tolerant([&] { return first->jobs(true); });
    tolerant([&] { return first->jobs(false); });
    tolerant([&] { return first->prove(toy("at once", 3), 60s); });
    await_end_of_queue();
    tolerant([&] { return first->await(jobs[2], 2000, 30s); });
    expect_purge();
  }

  /// An hour later nobody needs an input any more, and the first daemon, as long as it lives, is the one that tidies up.
  void expect_purge() {
    const auto are_gone = [] {
      database->run("update cuzk.input set used = now() - interval '1 hour'");
      return database->number("select count(*) from cuzk.input") == 0;
    };
    daemons[1]->signal(SIGSTOP);
    database->run("set session_replication_role = replica; update cuzk.job set ended = ended - interval '1 hour'");
    becomes_true([&] { return !daemons[0]->runs() || are_gone(); }, 20s);
    daemons[1]->signal(SIGCONT);
    EXPECT_TRUE(becomes_true(are_gone, 20s)) << "inputs that nobody needs are kept";
  }

  /// A job that nobody can read: it waits for a second, and goes back until it has failed.
  static void lose_an_input() {
    database->run(
        "insert into cuzk.job (id, identity, request_id, digest, kind, circuit, priority, input_bytes, acceptor, "
        "state, "
        "kept_for, kept_until) values ('unreadable', 'x', 'unreadable', decode(repeat('77', 32), 'hex'), 'porep-c2', "
        "'', "
        "1, 1, 'nobody', 'queued', 'nobody', now() + interval '1 s')");
  }

  void revive() {
    if (daemons[0]->runs()) return;
    EXPECT_TRUE(may_die) << "the daemon ended with " << daemons[0]->wait() << ": " << log(0);
    armed[0].clear();
    launch(0);
    await_client(0);
  }

  /// Every job that was accepted has ended, the same whoever is asked.
  void expect_ends() {
    await_end_of_queue();
    for (const auto& [id, unused] : accepted) {
      std::array<Response, 2> answers;
      for (std::size_t i = 0; i < 2; ++i) {
        for (int attempt = 0; attempt < 20 && answers[i].status() == Response::UNKNOWN; ++attempt) {
          revive();  // this may be what ended it
          const auto any = await_client(i);
          ASSERT_NE(any, nullptr);
          if (const auto answer = tolerant([&] { return any->await(id, 5000, 30s); })) answers[i] = *answer;
        }
      }
      EXPECT_EQ(answers[0].status(), answers[1].status()) << id << rows_of(id);
      EXPECT_EQ(answers[0].proof(), answers[1].proof());
      if (answers[0].status() == Response::COMPLETED) {
        EXPECT_EQ(answers[0].proof().size() % 192, 0u);
        EXPECT_FALSE(answers[0].proof().empty());
      } else {
        EXPECT_FALSE(answers[0].error_message().empty()) << id << rows_of(id);
      }
    }
    EXPECT_EQ(database->number("select count(*) from cuzk.job where state in ('queued', 'leased', 'shared')"), 0);
    EXPECT_EQ(database->number("select count(*) from cuzk.job where state = 'completed' and parent is null and "
                               "octet_length(proof) <> 192 * partitions"),
              0);
    EXPECT_EQ(database->number("select count(*) from (select job from ends group by job having count(*) > 1) x"), 0);
    EXPECT_EQ(database->number("select count(*) from cuzk.job where request_id like 'job %' and parent is null"), 6)
        << "each was accepted once";
    EXPECT_EQ(database->number("select count(*) from cuzk.job where id = 'unreadable' and state = 'failed'"), 1);
    EXPECT_GE(database->number("select count(*) from cuzk.job where state = 'completed' and parent is null"), 7);
  }

  nlohmann::json page(std::size_t i) const {
    httplib::Client http(folder / ("h" + std::to_string(i)));
    http.set_address_family(AF_UNIX);
    const auto answer = http.Get("/page.json");
    return answer ? nlohmann::json::parse(answer->body, nullptr, false) : nlohmann::json();
  }

  /// Bytes that are set aside for jobs and keys.
  u64 set_aside(std::size_t i) const {
    const auto told = page(i);
    u64 sum = 0;
    if (!told.contains("sections")) return 1;
    for (const auto& account : told["sections"]["host"]["accounts"]) {
      const auto name = account["name"].get<std::string>();
      for (const char* part : {"keys and proofs", "witnesses", "the same", "inputs that wait"})
        if (name.starts_with(part)) sum += account["used"].get<u64>();
    }
    return sum;
  }

  void expect_nothing_owed() {
    for (std::size_t i = 0; i < 2; ++i) {
      const auto is_free = [&] {
        tolerant([&] { return client(i)->evict("toy"); });
        return set_aside(i) == 0;
      };
      EXPECT_TRUE(becomes_true(is_free, 20s)) << "daemon " << i << " holds " << set_aside(i) << " bytes";
      const auto status = client(i)->status();
      for (const auto& queue : status.queues()) EXPECT_EQ(queue.pending() + queue.in_progress(), 0u) << "daemon " << i;
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder / "objects"))
      EXPECT_TRUE(may_die) << entry.path() << " is left over";
  }

  /// Also with work at hand.
  void expect_stop(const std::string& what) {
    for (std::size_t i = 0; i < 2; ++i) submit(toy("last " + std::to_string(i)), 1);
    for (std::size_t i = 0; i < 2; ++i) daemons[i]->signal(SIGTERM);
    for (std::size_t i = 0; i < 2; ++i) {
      const int status = daemons[i]->wait();
      EXPECT_TRUE(status == 0 || (may_die && i == 0 && status == 134))
          << what << ": daemon " << i << ": " << status << log(i);
    }
    if (!may_die) {
      EXPECT_EQ(database->number("select count(*) from cuzk.job where state = 'leased'"), 0) << what;
    }
  }

  static int failed_parts() {
    return testing::UnitTest::GetInstance()->current_test_info()->result()->total_part_count();
  }

  bool may_die = false;
};

/// How a place is made to fail that is passed so often: at the first pass and in the middle of the work.
std::vector<std::string> manners_of(const std::string& place, u64 passes, Effort effort) {
  if (effort == Effort::brief) return {"error:unavailable@" + std::to_string(passes / 2) + "*1"};
  std::vector<std::string> manners;
  for (const u64 skip : std::set<u64>{0, passes / 2})
    for (const auto* manner : {"error:unavailable@%*1", "error:internal@%*1", "abort@%"})
      manners.push_back(std::regex_replace(manner, std::regex("%"), std::to_string(skip)));
  manners.push_back(place.starts_with("farm.object") ? "error:resource_exhausted*4" : "error:unavailable*8");
  return manners;
}

/// What is armed, run by run: every place in its first manner, then in the next.
std::vector<std::string> plans(const Places& places, Effort effort) {
  std::multimap<std::size_t, std::string> in_order;
  for (const auto& [place, passes] : places) {
    const auto before = kAfter.find(place);
    std::size_t round = 0;
    for (const auto& manner : manners_of(place, passes, effort))
      in_order.emplace(round++, (before == kAfter.end() ? "" : before->second) + place + "=" + manner);
  }
  std::vector<std::string> all;
  for (const auto& [round, plan] : in_order) all.push_back(plan);
  return all;
}

/// Places that no workload of a daemon has to pass are left out.
std::vector<std::string> missing_of(const Places& passed) {
  std::vector<std::string> missing;
  for (const auto& [place, none] : places_in_the_source()) {
    if (!is_of_commands(place) && !passed.contains(place) && !kAfter.contains(place)) missing.push_back(place);
  }
  return missing;
}

TEST_F(FailpointWalk, WhateverFailsEveryJobEndsAndNothingIsOwed) {
  const char* wanted = std::getenv("CUZK_FARM_FAILPOINTS");
  const char* minutes = std::getenv("CUZK_FARM_MINUTES");
  const std::regex chosen(wanted != nullptr ? wanted
                                            : "farm\\.(claim|end|submit|give_back)\\.answer|farm\\.listen\\.wait");
  const auto end = std::chrono::steady_clock::now() +
                   std::chrono::duration<double, std::ratio<60>>(minutes == nullptr ? 1e6 : std::atof(minutes));
  Places passed = play("").places;
  // Which daemon comes first is chance: what one left to the other is passed another time.
  for (int again = 0; again < 2 && !missing_of(passed).empty(); ++again) passed.merge(play("").places);
  EXPECT_THAT(missing_of(passed), testing::IsEmpty()) << "the workload does not pass them";
  Places places;
  for (const auto& [place, none] : places_in_the_source()) {
    if (is_of_commands(place)) continue;
    if (std::regex_match(place, chosen)) places[place] = passed.contains(place) ? passed.at(place) : 0;
  }
  int runs = 0, stopped = 0;
  const auto all = plans(places, wanted == nullptr ? Effort::brief : Effort::full);
  for (const auto& plan : all) {
    if (std::chrono::steady_clock::now() > end) break;
    const int failures = failed_parts();
    stopped += play(plan).came_up ? 0 : 1;
    std::cout << ++runs << " of " << all.size() << ": " << plan << (failed_parts() == failures ? " held" : " BROKEN")
              << std::endl;
  }
  std::cout << "figures: " << places.size() << " places, " << runs << " runs, " << stopped << " failed starts, "
            << refused << " refused calls\n";
}

TEST_F(FailpointWalk, CommandsTryAgainOrSayWhatFailed) {
  start_over();
  launch(1);
  ASSERT_NE(await_client(1), nullptr);
  const auto file = configuration(1);
  const std::vector<std::string> check{CUZK_PROGRAM,          "serve",  "-c", configuration(2), "-l",
                                       "unix://" + socket(2), "--check"};
  const std::vector<std::string> status{CUZK_PROGRAM, "farm", "status", "-c", file};
  for (const auto& [place, none] : places_in_the_source()) {
    if (!is_of_commands(place)) continue;
    for (const char* manner : {"unavailable", "internal"}) {
      auto command = place.starts_with("farm.view") ? status : check;
      const std::vector<std::string> before{"/usr/bin/env", "CUZK_FAILPOINTS=" + place + "=error:" + manner + "*1"};
      command.insert(command.begin(), before.begin(), before.end());
      const auto outcome = test::run(command);
      const bool is_lost = manner == std::string("unavailable");
      EXPECT_EQ(outcome.status, is_lost ? 0 : 1) << place << " " << manner << ": " << outcome.out << outcome.err;
      if (!is_lost) {
        EXPECT_THAT(outcome.out + outcome.err, testing::HasSubstr("failpoint")) << place;
      }
    }
  }
}

}  // namespace
}  // namespace cuzk::server
#endif
