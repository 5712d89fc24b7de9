/// Four daemons of a farm as processes, clients that load them, and an audit in the database itself.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "base/hex.h"
#include "farm/postgres.h"
#include "server/client.h"
#include "support/vectors.h"

namespace cuzk::server {

using namespace std::chrono_literals;
using Response = v1::AwaitProofResponse;

class FarmDaemons : public testing::Test {
 protected:
  static constexpr std::size_t kDaemons = 4;

  /// One server for all tests, as making it takes longer than most of them; each has tables of its own.
  static void SetUpTestSuite() {
    if (farm::postgres_programs()) database = std::make_unique<farm::Postgres>();
  }
  static void TearDownTestSuite() { database.reset(); }

  void SetUp() override {
    if (!farm::postgres_programs()) GTEST_SKIP() << "no initdb: PostgreSQL is not installed";
    database->run("drop schema if exists cuzk cascade; drop table if exists ends; drop function if exists note");
    std::filesystem::create_directory(folder / "keys");
    const auto key = from_hex(test::vector_json("setup/toy.json")["params"]["bytes"].get<std::string>());
    std::ofstream(folder / "keys/toy.params", std::ios::binary)
        .write(reinterpret_cast<const char*>(key.data()), static_cast<std::streamsize>(key.size()));
  }

  template <class Condition>
  static bool becomes_true(Condition&& condition, std::chrono::seconds patience = 60s) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!condition() && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(20ms);
    return condition();
  }

  /// How often a random test kills: CUZK_KILLS, else `usual`.
  static int kills(int usual) {
    const char* text = std::getenv("CUZK_KILLS");
    return text == nullptr ? usual : std::atoi(text);
  }

  std::string socket(std::size_t i) const { return folder / ("s" + std::to_string(i)); }
  std::string log(std::size_t i) const { return test::text_of(folder / ("log" + std::to_string(i))); }

  /// How often a daemon passed its failpoints, once it has ended; in builds that have them.
  std::string counts(std::size_t i) const { return folder / ("counts" + std::to_string(i)); }

  std::string configuration(std::size_t i) const {
    const auto file = folder / ("cuzk" + std::to_string(i) + ".toml");
    std::ofstream(file) << "[srs]\nparam_cache = \"" << (folder / "keys").string()
                        << "\"\n[daemon]\nstatus_listen = \"unix://" << (folder / ("h" + std::to_string(i))).string()
                        << "\"\n[farm]\npostgres = \"" << database->connection() << "\"\nname = \"machine" << i
                        << "\"\n"
                        << farm_settings;
    return file;
  }

  void launch(std::size_t i) {
    std::filesystem::remove(socket(i));
    std::vector<std::string> command{CUZK_PROGRAM,
                                     "serve",
                                     "-c",
                                     configuration(i),
                                     "-l",
                                     "unix://" + socket(i),
                                     "--insecure-toys",
                                     "--insecure-prove-delay",
                                     std::to_string(prove_delay_ms)};
    std::vector<std::string> before{"/usr/bin/env", "CUZK_FAILPOINTS=" + armed[i],
                                    "CUZK_FAILPOINT_COUNTS=" + counts(i)};
    command.insert(command.begin(), before.begin(), before.end());
    auto process = std::make_unique<test::Process>(command, folder / ("out" + std::to_string(i)),
                                                   folder / ("log" + std::to_string(i)));
    const std::lock_guard lock(mutex);
    daemons[i] = std::move(process);
    clients[i] = nullptr;
  }

  /// A client of a daemon that answers; null where it does not.
  std::shared_ptr<Client> client(std::size_t i) {
    {
      const std::lock_guard lock(mutex);
      if (clients[i] != nullptr) return clients[i];
    }
    if (!std::filesystem::exists(socket(i))) return nullptr;
    auto made = std::make_shared<Client>("unix://" + socket(i));
    try {
      made->status();
    } catch (const Error&) {
      return nullptr;
    }
    const std::lock_guard lock(mutex);
    return clients[i] = made;
  }

  std::shared_ptr<Client> await_client(std::size_t i) {
    for (int attempt = 0; attempt < 1200; ++attempt) {
      if (auto found = client(i)) return found;
      std::this_thread::sleep_for(50ms);
    }
    ADD_FAILURE() << "daemon " << i << " does not answer: " << log(i);
    return nullptr;
  }

  void start_all() {
    for (std::size_t i = 0; i < kDaemons; ++i) launch(i);
    for (std::size_t i = 0; i < kDaemons; ++i) ASSERT_NE(await_client(i), nullptr);
    audit();
  }

  void kill(std::size_t i) {
    daemons[i]->signal(SIGKILL);
    daemons[i]->wait();
    const std::lock_guard lock(mutex);
    clients[i] = nullptr;
  }

  /// From now on the database itself notes each end of a job, and refuses to change one.
  void audit() const {
    database->run(
        "create table ends (job text, state text);"
        "create function note() returns trigger language plpgsql as $$ begin "
        "  if old.ended is not null and (new.ended, new.state, new.proof) is distinct from (old.ended, old.state, "
        "old.proof)"
        "    then raise exception 'the end of % has changed', old.id; end if;"
        "  if old.ended is null and new.ended is not null then insert into ends values (new.id, new.state); end if;"
        "  return new; end $$;"
        "create trigger note before update on cuzk.job for each row execute function note()");
  }

  static v1::SubmitProofRequest toy(const std::string& request_id, std::size_t partition = 0,
                                    v1::Priority priority = v1::PRIORITY_UNSPECIFIED) {
    static const auto inputs = test::vector_json("proofs/toy.json")["x"];
    v1::SubmitProofRequest request;
    request.set_request_id(request_id);
    request.set_proof_kind(v1::POREP_SEAL_COMMIT);
    request.set_priority(priority);
    request.set_vanilla_proof(inputs[partition].get<std::string>());
    return request;
  }

  /// Ten partitions, that machines may share.
  static v1::SubmitProofRequest sector(const std::string& request_id) {
    std::string text;
    for (std::size_t i = 0; i < 10; ++i) text += toy("", i % 5).vanilla_proof() + "\n";
    auto request = toy(request_id);
    request.set_vanilla_proof(text);
    request.set_sector_size(u64{32} << 30);
    return request;
  }

  /// A client that submits to any daemon and asks any for results, until it is told to end.
  void load(unsigned seed, const std::atomic<bool>& ends) {
    std::mt19937 random(seed);
    for (int n = 0; !ends; ++n) {
      try {
        if (const auto any = client(random() % kDaemons)) {
          const std::string name = "job " + std::to_string(seed) + "/" + std::to_string(n);
          const auto request = n % 5 == 4 ? sector(name) : toy(name, static_cast<std::size_t>(n % 5));
          remember(any->submit(request).job_id(), "");
        }
        look_at_one(random);
      } catch (const Error&) {  // a daemon was killed, or its database is gone: nothing was acknowledged
        ++refused;
        std::this_thread::sleep_for(20ms);
      }
    }
  }

  void look_at_one(std::mt19937& random) {
    std::string id;
    {
      const std::lock_guard lock(mutex);
      if (accepted.empty()) return;
      id = std::next(accepted.begin(), static_cast<long>(random() % accepted.size()))->first;
    }
    const auto any = client(random() % kDaemons);
    if (any == nullptr) return;
    const auto answer = any->await(id, 1 + random() % 50, 10s);
    if (answer.status() == Response::COMPLETED) remember(id, answer.proof());
    if (answer.status() == Response::FAILED) ADD_FAILURE() << answer.error_message();
  }

  /// What was told once must be told again: another proof of the job would have another r and s.
  void remember(const std::string& id, const std::string& proof) {
    const std::lock_guard lock(mutex);
    auto& known = accepted[id];
    if (!known.empty() && !proof.empty()) {
      EXPECT_EQ(known, proof) << "a result that was told has changed";
    }
    if (known.empty()) known = proof;
  }

  /// What the database has of a job, its parts, and of the daemons.
  static std::string rows_of(const std::string& id) {
    std::string text = "\nat " + std::string(database->run("select now()")[0][0].c_str());
    const auto add = [&](const std::string& query) {
      for (const auto& row : database->run(query)) text += std::string("\n") + row[0].c_str();
    };
    add("select (to_jsonb(job) - 'proof' - 'identity' - 'digest' - 'stages' - 'timings')::text from cuzk.job where id "
        "= '" +
        id + "' or parent = '" + id + "'");
    add("select to_jsonb(daemon)::text from cuzk.daemon");
    add("select state || ' ' || count(*) from cuzk.job group by state");
    return text;
  }

  /// However slow the machine is, it goes on.
  static void await_end_of_queue() {
    constexpr auto kPatience = 60s;
    long least = std::numeric_limits<long>::max();
    auto until = std::chrono::steady_clock::now() + kPatience;
    while (least != 0 && std::chrono::steady_clock::now() < until) {
      const long left = database->number("select count(*) from cuzk.job where ended is null");
      if (left < least) until = std::chrono::steady_clock::now() + kPatience;
      least = std::min(left, least);
      std::this_thread::sleep_for(50ms);
    }
    EXPECT_EQ(least, 0) << "jobs that nobody proves";
  }

  /// A daemon takes requests before its first look at the queue, which is when the others hear of it.
  static void expect_all_known() {
    EXPECT_TRUE(becomes_true([] { return database->number("select count(*) from cuzk.daemon") == long{kDaemons}; }));
  }

  void expect_all_proved() {
    ASSERT_FALSE(accepted.empty());
    await_end_of_queue();
    const auto all = accepted;
    std::size_t next = 0;
    for (const auto& [id, proof] : all) {
      try {
        const auto answerer = await_client(next++ % kDaemons);
        ASSERT_NE(answerer, nullptr);
        const auto answer = answerer->await(id, 0, 120s);
        ASSERT_EQ(answer.status(), Response::COMPLETED) << id << ": " << answer.error_message();
        remember(id, answer.proof());
      } catch (const Error& error) {
        FAIL() << id << ": " << error.what() << rows_of(id);
      }
    }
    EXPECT_EQ(database->number("select count(*) from (select job from ends group by job having count(*) > 1) x"), 0)
        << "a job has ended twice";
    EXPECT_EQ(database->number("select count(*) from cuzk.job where ended is null and parent is null"), 0);
    EXPECT_EQ(database->number("select count(*) from cuzk.job where state = 'completed' and parent is null and "
                               "octet_length(proof) <> 192 * partitions"),
              0)
        << "a proof has not all its partitions, each once";
    EXPECT_GE(database->number("select count(*) from ends"), static_cast<long>(all.size()));
    std::cout << all.size() << " jobs were acknowledged and proved, "
              << database->number("select count(*) from cuzk.job where cardinality(reasons) > 0")
              << " rows came back from daemons that died, " << refused << " calls were refused\n";
  }

  static inline std::unique_ptr<farm::Postgres> database;
  test::TemporaryFolder folder;
  std::string farm_settings =
      "lease = \"2s\"\nheartbeat = \"300ms\"\npoll = \"200ms\"\nkey_grace = \"0ms\"\nmax_attempts = 1000\n";
  unsigned prove_delay_ms = 20;
  std::array<std::string, kDaemons> armed;  ///< failpoints of those that are launched from now on (base/failpoint.h)
  std::mutex mutex;                         // guards what follows
  std::array<std::unique_ptr<test::Process>, kDaemons> daemons;
  std::array<std::shared_ptr<Client>, kDaemons> clients;
  std::map<std::string, std::string> accepted;  ///< job id -> proof; empty: not told yet
  std::atomic<int> refused = 0;
};

}  // namespace cuzk::server
