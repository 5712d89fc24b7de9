/// Queues on a PostgreSQL that all tests of the program share; each test has tables of its own.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

#include "base/hex.h"
#include "base/random.h"
#include "farm/postgres.h"
#include "farm/queue.h"

namespace cuzk::farm {

using namespace std::chrono_literals;
using engine::Kind;
using engine::Priority;

class QueueTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (postgres_programs()) server() = std::make_unique<Postgres>();
  }
  static void TearDownTestSuite() { server().reset(); }

  void SetUp() override {
    if (!postgres_programs()) GTEST_SKIP() << "no initdb: PostgreSQL is not installed";
    server()->run("drop schema if exists cuzk cascade");
    options.postgres = server()->connection();
    options.lease = 300ms;
    options.heartbeat = 100ms;
    options.key_grace = 0ms;
    queue("a").prepare();
  }

  static std::unique_ptr<Postgres>& server() {
    static std::unique_ptr<Postgres> one;
    return one;
  }

  /// The queue of a daemon by its name.
  FarmQueue& queue(const std::string& session) { return queues.try_emplace(session, options, session).first->second; }

  NewJob job(const std::string& request_id, Priority priority = Priority::normal, const std::string& circuit = "toy") {
    NewJob job;
    job.id = to_hex(random_bytes<16>());
    job.request_id = request_id;
    job.priority = priority;
    job.circuit = circuit;
    job.input_bytes = 5;
    return job;
  }

  JobId submit(const NewJob& job) { return queue("a").submit(job, "input").id; }
  JobId submit(const std::string& request_id) { return submit(job(request_id)); }

  /// The request ids of what a daemon claims that holds these keys.
  std::vector<std::string> claim(const std::string& session, u32 most, std::vector<std::string> held = {"toy"},
                                 Priority lowest = Priority::low) {
    std::vector<std::string> ids;
    for (const auto& each : queue(session).claim({held, most, lowest})) {
      ids.push_back(each.request_id);
      leases[each.request_id] = each.lease;
    }
    return ids;
  }

  /// A daemon is there, and holds these keys.
  Beat beat(const std::string& session, std::vector<std::string> held = {}, u32 room = 1) {
    return queue(session).beat({session, room, 1, std::move(held)});
  }

  JobState state(const JobId& id) {
    const auto job = queue("a").fetch(id);
    if (!job) return JobState::cancelled;
    return job->result ? job->result->state : job->is_leased ? JobState::running : JobState::queued;
  }

  static JobResult completed(u8 byte = 7) {
    JobResult result;
    result.state = JobState::completed;
    result.proof.assign(192, byte);
    return result;
  }

  FarmOptions options;
  std::map<std::string, FarmQueue> queues;
  std::map<std::string, Lease> leases;  ///< by request id, of the last claim
};

}  // namespace cuzk::farm
