#include "farm/queue.h"

#include <algorithm>
#include <array>
#include <thread>

#include "base/hex.h"
#include "engine/journal/record_codec.h"
#include "farm/queue_connection.h"
#include "farm/queue_rows.h"
#include "farm/schema.h"
#include "hash/sha256.h"

namespace cuzk::farm {

namespace {

/// Of whoever makes or tidies tables: the letters of "cuzk" and a number.
constexpr i64 kPrepareLock = 0x63757a6b01, kSweepLock = 0x63757a6b02;

/// Request id and input together: what a second request must have to be the same job.
std::array<u8, 32> identity_of(const NewJob& job) {
  Sha256 hash;
  hash.update(job.digest);
  hash.update({reinterpret_cast<const u8*>(job.request_id.data()), job.request_id.size()});
  return hash.finish();
}

/// A text of PostgreSQL holds none.
std::string without_zeros(std::string text) {
  std::erase(text, '\0');
  return text;
}

/// make(row) of each.
template <class Make>
auto each_of(const pqxx::result& rows, Make&& make) {
  std::vector<decltype(make(rows[0]))> made;
  for (const auto& row : rows) made.push_back(make(row));
  return made;
}

}  // namespace

FarmQueue::FarmQueue(const FarmOptions& options, std::string session)
    : options_(options), session_(std::move(session)), interruptible_(std::make_unique<Interruptible>()) {}

FarmQueue::FarmQueue(FarmQueue&&) noexcept = default;

FarmQueue::~FarmQueue() = default;

void FarmQueue::interrupt() noexcept { interruptible_->interrupt(); }

FarmQueue::Connection& FarmQueue::connection() {
  if (connection_ == nullptr) connection_ = std::make_unique<Connection>(options_.postgres, *interruptible_);
  return *connection_;
}

void FarmQueue::prepare() {
  with_connection([&](Connection& database) {
    database.transact("farm.prepare", [&](pqxx::work& transaction) {
      CUZK_FAILPOINT("farm.prepare.lock");
      transaction.exec_params("select pg_advisory_xact_lock($1)", kPrepareLock);
      CUZK_FAILPOINT("farm.prepare.look");
      const auto there = transaction.exec("select to_regclass('cuzk.farm') is not null")[0][0].as<bool>();
      CUZK_FAILPOINT("farm.prepare.make");
      if (!there) transaction.exec(kSchemaText);
      CUZK_FAILPOINT("farm.prepare.version");
      const int version = transaction.exec("select version from cuzk.farm")[0][0].as<int>();
      if (version != kSchemaVersion)
        throw invalid_input("the farm's database has tables of version {}, this program knows version {}", version,
                            kSchemaVersion);
    });
  });
}

void FarmQueue::keep_file(const InputDigest& digest, std::optional<engine::Clock::time_point> wanted) {
  with_connection(
      [&](Connection& database) {
        database.run("farm.keep_file",
                     "insert into cuzk.input (digest) values ($1) on conflict (digest) do update set used = now()",
                     blob(digest));
      },
      wanted);
}

Stored FarmQueue::submit(const NewJob& job, const std::optional<std::string>& input,
                         std::optional<engine::Clock::time_point> wanted) {
  const i64 left = job.time_left ? std::max<i64>(ms(*job.time_left), 0) : -1;
  const auto identity = identity_of(job);
  const auto store = [&](Connection& database, u32 attempt) {
    if (attempt > 1) {  // an earlier one may have been committed, and the job may even have ended since
      auto stored = database.run("farm.submit.look", "select id from cuzk.job where id = $1", job.id);
      if (!stored.empty()) return stored;
    }
    return database.run(
        "farm.submit",
        "with kept as ("
        "  insert into cuzk.input (digest, bytes) select $4::bytea, $12::bytea where $13::bool"
        "  on conflict (digest) do update set used = now() returning 1),"
        "stored as ("
        "  insert into cuzk.job as job (id, identity, request_id, digest, kind, circuit, priority, deadline, "
        "input_bytes,"
        "                               acceptor, state, partitions)"
        "  values ($1, $2, $3, $4, $5, $6, $7,"
        "          case when $8::bigint < 0 then 'infinity' else now() + $8::bigint * interval '1 ms' end, $9, $10, "
        "'queued', $14)"
        "  on conflict (identity) where state in ('queued', 'leased', 'shared', 'completed') do update set"
        "    priority = case when job.state = 'completed' then job.priority"
        "                    else greatest(job.priority, excluded.priority) end,"
        "    deadline = case when job.state = 'completed' then job.deadline"
        "                    else greatest(job.deadline, excluded.deadline) end,"
        "    acceptor = excluded.acceptor"
        "  returning id, state, circuit, priority)"
        "select id, case when state = 'queued' then cuzk.wake(circuit, priority, $11::bigint * interval '1 ms')::text"
        "                when $7 = 3 and state in ('leased', 'shared') then cuzk.hurry(id)::text end "
        "from stored",
        job.id, blob(identity), without_zeros(job.request_id), blob(job.digest), std::string(name(job.kind)),
        job.circuit, static_cast<int>(job.priority), left, static_cast<i64>(job.input_bytes), session_,
        ms(options_.lease), blob(input.value_or("")), input.has_value(), static_cast<int>(job.partitions));
  };
  const auto rows = with_connection(store, wanted);
  JobId id = rows[0][0].c_str();
  const auto how = id == job.id ? Stored::How::made : Stored::How::joined;
  return {std::move(id), how};
}

std::optional<JobState> FarmQueue::cancel(const JobId& id, const std::string& why) {
  const auto rows = with_connection([&](Connection& database) {
    return database.run(
        "farm.cancel",
        "with before as (select id, state, daemon from cuzk.job where id = $1 for update),"
        "ended as ("
        "  update cuzk.job job set state = 'cancelled', ended = now(), code = 'cancelled', message = $2"
        "  from before where job.id = before.id and before.state in ('queued', 'leased', 'shared')"
        "  returning job.id, job.acceptor, before.state, before.daemon)"
        "select state, (select count(pg_notify('cuzk_' || acceptor, 'e' || id)) +"
        "                      count(case when state = 'leased' then pg_notify('cuzk_' || daemon, 'c' || id)::text end)"
        "               from ended) from before",
        id, why);
  });
  if (rows.empty()) return std::nullopt;
  return state_of(rows[0][0].c_str());
}

std::optional<FarmJob> FarmQueue::fetch(const JobId& id) {
  const auto rows = with_connection([&](Connection& database) {
    const auto found = database.run("farm.fetch", kSelectJob, id);
    const bool is_news = !found.empty() && !found[0]["ended"].is_null() && found[0]["fetched"].is_null();
    if (is_news) database.run("farm.fetched", "select cuzk.fetched($1)", id);
    return found;
  });
  if (rows.empty()) return std::nullopt;
  return job_of(rows[0]);
}

std::optional<FarmJob> FarmQueue::follow(const JobId& id) {
  auto job = fetch(id);
  if (!job || job->result || job->acceptor == session_) return job;
  with_connection([&](Connection& database) {
    database.run("farm.follow", "update cuzk.job set acceptor = $2 where id = $1 and ended is null", id, session_);
  });
  return fetch(id);
}

std::vector<JobId> FarmQueue::ended_of(const std::vector<JobId>& ids) {
  const auto rows = with_connection([&](Connection& database) {
    return database.run("farm.ended_of",
                        "select asked.id from unnest($1::text[]) asked (id) left join cuzk.job on job.id = asked.id "
                        "where job.id is null or job.ended is not null",
                        array_text(ids));
  });
  return each_of(rows, [](const pqxx::row& row) { return JobId(row[0].c_str()); });
}

std::vector<FarmJob> FarmQueue::list(Which which, std::size_t most) {
  const auto rows = with_connection([&](Connection& database) {
    return database.run("farm.list", which == Which::all ? kListAll : kListUnfinished, static_cast<i64>(most));
  });
  return each_of(rows, job_of);
}

Beat FarmQueue::beat(const Presence& presence) {
  const auto rows = with_connection([&](Connection& database) {
    return database.run(
        "farm.beat",
        "select beat.*, job.priority from cuzk.beat($1, $2, $3, $4, $5::text[], $6::bigint * interval '1 ms') beat"
        " left join cuzk.job job on job.id = beat.job",
        session_, without_zeros(presence.name), static_cast<int>(presence.room), static_cast<int>(presence.urgent_room),
        array_text(presence.circuits), ms(options_.lease));
  });
  Beat result;
  for (const auto& row : rows) {
    result.sweep_is_due = row["due"].as<bool>();
    if (row["job"].is_null()) continue;
    const auto priority = static_cast<Priority>(row["priority"].as<int>(static_cast<int>(Priority::low)));
    result.leases.push_back({{row["job"].c_str(), row["number"].as<u64>()}, priority});
  }
  return result;
}

std::vector<Claimed> FarmQueue::claim(const ClaimWish& wish) {
  const auto rows = with_connection([&](Connection& database) {
    return database.run(
        "farm.claim",
        "select id, lease, request_id, digest, kind, priority, circuit, attempts,"
        " case when deadline < 'infinity' then greatest(extract(epoch from deadline - now()) * 1000, 0)::bigint end as "
        "left_ms,"
        " (extract(epoch from now() - accepted) * 1000)::bigint as waited_ms,"
        " first_partition, partitions, (select whole.partitions from cuzk.job whole where whole.id = each.parent) as "
        "of "
        "from cuzk.claim($1, $2::text[], $3, $4, $5::bigint * interval '1 ms', $6::bigint * interval '1 ms', $7) each",
        session_, array_text(wish.circuits), static_cast<int>(wish.most), static_cast<int>(wish.lowest),
        ms(options_.key_grace), ms(options_.lease), static_cast<int>(options_.machines_a_job));
  });
  return each_of(rows, claimed_of);
}

std::optional<std::string> FarmQueue::input(const InputDigest& digest) {
  const auto rows = with_connection([&](Connection& database) {
    return database.run("farm.input", "select bytes from cuzk.input where digest = $1", blob(digest));
  });
  if (rows.empty()) throw Error(Code::not_found, "the farm's database has no input " + to_hex(digest));
  if (rows[0][0].is_null()) return std::nullopt;
  return pqxx::binarystring(rows[0][0]).str();
}

bool FarmQueue::end(const Lease& lease, const JobResult& result) {
  const auto& t = result.timings;
  const std::string timings =
      fmt::format("{{{},{},{},{}}}", ms(t.queued), ms(t.key_load), ms(t.synthesis), ms(t.device));
  const auto rows = with_connection([&](Connection& database) {
    return database.run(
        "farm.end",
        "with told as ("
        "  update cuzk.job set state = $3, ended = now(), code = $4, message = $5, proof = $6, timings = $7::bigint[],"
        "    stages = $8"
        "  where id = $1 and lease = $2 and state in ('leased', 'queued') and ($3 <> 'timed_out' or deadline <= now())"
        "  returning acceptor, id) "
        "select pg_notify('cuzk_' || acceptor, 'e' || id) from told",
        lease.job, static_cast<i64>(lease.number), word_of(result.state), std::string(name(result.code)),
        plain(result.message), blob(result.proof), timings, blob(engine::encode_stages(t.stages_ms)));
  });
  return !rows.empty();
}

bool FarmQueue::give_back(const Lease& lease, const std::optional<std::string>& reason) {
  const auto rows = with_connection([&](Connection& database) {
    return database.run(
        "farm.give_back",
        "with given as ("
        "  update cuzk.job job set"
        "    state = case when $3 = '' or attempts < $4 then 'queued' else 'failed' end,"
        "    queued = now(), daemon = null, leased = null, passed_over = $5,"
        "    passed_until = now() + case when $3 = '' then $7::bigint else $6::bigint end * interval '1 ms',"
        "    attempts = attempts - case when $3 = '' then 1 else 0 end,"
        "    reasons = case when $3 = '' then reasons"
        "                   else reasons || format('attempt %s on %s: %s', attempts, daemon_name, $3) end,"
        "    ended = case when $3 = '' or attempts < $4 then null else now() end,"
        "    code = 'internal', message = format('given up after %s attempts; the last, on %s: %s', attempts, "
        "daemon_name, $3)"
        "  where id = $1 and lease = $2 and state = 'leased' returning id, state, acceptor, circuit, priority) "
        "select case when state = 'queued' then cuzk.wake(circuit, priority, $6::bigint * interval '1 ms')::text"
        "            else pg_notify('cuzk_' || acceptor, 'e' || id)::text end from given",
        lease.job, static_cast<i64>(lease.number), plain(reason.value_or("")), static_cast<int>(options_.max_attempts),
        session_, ms(options_.lease), ms(options_.heartbeat));
  });
  return !rows.empty();
}

void FarmQueue::leave() {
  with_connection([&](Connection& database) {
    database.run("farm.leave", "delete from cuzk.daemon where session = $1", session_);
  });
}

std::optional<u32> FarmQueue::sweep() {
  return with_connection([&](Connection& database) {
    return database.transact("farm.sweep", [&](pqxx::work& transaction) -> std::optional<u32> {
      CUZK_FAILPOINT("farm.sweep.lock");
      if (!transaction.exec_params("select pg_try_advisory_xact_lock($1)", kSweepLock)[0][0].as<bool>())
        return std::nullopt;
      CUZK_FAILPOINT("farm.sweep.jobs");
      const auto rows = transaction.exec_params("select cuzk.sweep($1::bigint * interval '1 ms', $2)",
                                                ms(options_.lease), static_cast<int>(options_.max_attempts));
      return rows[0][0].as<u32>();
    });
  });
}

void FarmQueue::purge(const std::function<bool(const InputDigest&)>& remove_file) {
  with_connection([&](Connection& database) {
    database.run("farm.purge.results",
                 "delete from cuzk.job where ended < now() - $1::bigint * interval '1 ms'"
                 " and (fetched is not null or ended < now() - $2::bigint * interval '1 ms')",
                 ms(options_.keep_results), ms(options_.keep_unfetched));
    // A file goes while its row is locked: who keeps the input anew waits for that, and then writes the file again.
    database.transact("farm.purge.inputs", [&](pqxx::work& transaction) {
      CUZK_FAILPOINT("farm.purge.inputs.delete");
      const auto rows = transaction.exec_params(
          "delete from cuzk.input where (bytes is not null or $2) and used < now() - $1::bigint * interval '1 ms' and "
          "not exists ("
          "  select from cuzk.job where job.digest = input.digest and"
          "    (state in ('queued', 'leased', 'shared') or ended > now() - $1::bigint * interval '1 ms')) "
          "returning digest, bytes is null",
          ms(options_.keep_inputs), static_cast<bool>(remove_file));
      for (const auto& row : rows) {
        const bool is_file = row[1].as<bool>();
        if (!is_file || remove_file(digest_of(row[0]))) continue;
        CUZK_FAILPOINT("farm.purge.inputs.keep");
        transaction.exec_params("insert into cuzk.input (digest) values ($1)", blob(digest_of(row[0])));
      }
    });
  });
}

bool FarmQueue::listen(Listener& listener, std::chrono::milliseconds most) {
  return with_connection([&](Connection& database) {
    return database.guarded([&] {
      const bool is_new = database.receiver == nullptr;
      if (is_new) {
        CUZK_FAILPOINT("farm.listen");
        auto receiver = std::make_unique<Connection::Receiver>(database.raw(), session_);
        CUZK_FAILPOINT("farm.listen.register");
        pqxx::nontransaction(database.raw()).exec("select 1");  // the registration is sent
        CUZK_FAILPOINT("farm.listen.answer");
        database.receiver = std::move(receiver);
      }
      database.receiver->listener = &listener;
      const auto seconds = std::chrono::floor<std::chrono::seconds>(most);
      CUZK_FAILPOINT("farm.listen.wait");
      if (!is_new)
        database.raw().await_notification(seconds.count(), static_cast<long>((most - seconds).count()) * 1000);
      return is_new;
    });
  });
}

}  // namespace cuzk::farm
