#include "engine/journal/job_table.h"

#include <algorithm>

#include "base/log.h"
#include "engine/journal/record_codec.h"

namespace cuzk::engine {
namespace {

/// Nanoseconds since 1970.
i64 stored(WallTime time) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
}
WallTime wall_time(i64 nanoseconds) {
  return WallTime(std::chrono::duration_cast<WallTime::duration>(std::chrono::nanoseconds(nanoseconds)));
}

/// The value of an enumeration whose name is written in a row.
template <class Enumeration>
Enumeration named(const std::string& text) {
  for (u8 value = 0; value < 64; ++value) {
    const auto candidate = static_cast<Enumeration>(value);
    if (name(candidate) == "unknown") break;
    if (name(candidate) == text) return candidate;
  }
  throw invalid_input("'{}' is no name that this program knows", text);
}

/// A query of which columns 0 to 7 are a job's record.
std::string select_record(std::string_view rest) {
  return fmt::format("SELECT id, request_id, digest, kind, priority, deadline, accepted, bytes, {}", rest);
}

JobRecord read_record(const SqlStatement::Rows& row) {
  JobRecord job;
  job.id = row.text(0);
  job.request_id = row.text(1);
  const auto digest = row.blob(2);
  if (digest.size() != job.digest.size()) throw invalid_input("a digest of {} bytes, expected 32", digest.size());
  std::copy(digest.begin(), digest.end(), job.digest.begin());
  job.kind = named<Kind>(row.text(3));
  job.priority = static_cast<Priority>(row.integer(4));
  if (const auto deadline = row.integer_or_null(5)) job.deadline = wall_time(*deadline);
  job.accepted = wall_time(row.integer(6));
  job.input_bytes = static_cast<u64>(row.integer(7));
  return job;
}

constexpr int kAfterRecord = 8;

UnfinishedJob read_unfinished(const SqlStatement::Rows& row) {
  return {read_record(row), named<JobState>(row.text(kAfterRecord)), static_cast<u32>(row.integer(kAfterRecord + 1))};
}

FinishedJob read_finished(const SqlStatement::Rows& row) {
  FinishedJob job{read_record(row), {}, {}};
  int column = kAfterRecord;
  JobResult& result = job.result;
  result.state = named<JobState>(row.text(column++));
  job.ended = wall_time(row.integer(column++));
  const auto proof = row.blob(column++);
  result.proof.assign(proof.begin(), proof.end());
  result.code = named<Code>(row.text(column++));
  result.message = row.text(column++);
  auto& timings = result.timings;
  for (auto* time : {&timings.queued, &timings.key_load, &timings.synthesis, &timings.device, &timings.total}) {
    *time = std::chrono::milliseconds(row.integer(column++));
  }
  timings.stages_ms = decode_stages(row.blob(column), "stages");
  return job;
}

template <class Read>
auto read_all(SqlStatement& statement, const Read& read) {
  std::vector<decltype(read(statement.query()))> result;
  auto rows = statement.query();
  while (rows.next()) {
    try {
      result.push_back(read(rows));
    } catch (const Error& error) {
      logger(LogModule::engine)
          .error("journal: job {} cannot be read and stays where it is: {}", rows.text(0), error.what());
    }
  }
  return result;
}

Error no_such_job(const JobId& id) {
  return Error(Code::not_found, fmt::format("journal: no job {} that has not ended", id));
}

}  // namespace

u64 bytes_of(const JobResult& result) { return result.proof.size() + result.message.size(); }

JobTable::JobTable(Database& database)
    : insert_job_(database,
                  "INSERT INTO jobs (id, request_id, digest, kind, priority, deadline, accepted, bytes, state) "
                  "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'queued') RETURNING number"),
      insert_input_(database, "INSERT INTO inputs (number, encoded) VALUES (?1, ?2)"),
      insert_result_(database, "INSERT INTO results VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)"),
      start_(database,
             "UPDATE jobs SET state = 'running', starts = starts + 1 WHERE id = ?1 AND ended IS NULL RETURNING number"),
      raise_(database, "UPDATE jobs SET priority = ?2 WHERE id = ?1 AND ended IS NULL RETURNING number"),
      end_(database, "UPDATE jobs SET state = ?2, ended = ?3, bytes = ?4 WHERE number = ?1"),
      delete_input_(database, "DELETE FROM inputs WHERE number = ?1"),
      delete_result_(database, "DELETE FROM results WHERE number = ?1"),
      delete_job_(database, "DELETE FROM jobs WHERE id = ?1 RETURNING number, bytes, ended IS NOT NULL"),
      unfinished_(database, select_record("state, starts FROM jobs WHERE ended IS NULL ORDER BY number")),
      finished_(database,
                select_record("state, ended, proof, code, message, queued_ms, key_load_ms, synthesis_ms, device_ms, "
                              "total_ms, stages FROM jobs JOIN results USING (number) ORDER BY ended, number")),
      find_(database, "SELECT number, bytes FROM jobs WHERE id = ?1 AND ended IS NULL"),
      input_(database,
             select_record("encoded FROM jobs LEFT JOIN inputs USING (number) WHERE id = ?1 AND ended IS NULL")),
      ids_(database, "SELECT id FROM jobs WHERE ended IS NULL"),
      usage_(database, "SELECT count(*), coalesce(sum(bytes), 0) FROM jobs") {}

void JobTable::insert(const JobRecord& job, std::optional<std::span<const u8>> input) {
  std::optional<i64> deadline;
  if (job.deadline) deadline = stored(*job.deadline);
  i64 number = 0;
  {
    auto row = insert_job_.query(std::string_view(job.id), std::string_view(job.request_id),
                                 std::span<const u8>(job.digest), name(job.kind), static_cast<i64>(job.priority),
                                 deadline, stored(job.accepted), static_cast<i64>(job.input_bytes));
    row.next();
    number = row.integer(0);
  }
  if (input) insert_input_.execute(number, *input);
}

void JobTable::start(const JobId& id) {
  if (auto row = start_.query(std::string_view(id)); !row.next()) throw no_such_job(id);
}

void JobTable::raise(const JobId& id, Priority priority) {
  if (auto row = raise_.query(std::string_view(id), static_cast<i64>(priority)); !row.next()) throw no_such_job(id);
}

JobTable::Released JobTable::end(const JobId& id, const JobResult& result, WallTime now) {
  i64 number = 0;
  Released released;
  {
    auto row = find_.query(std::string_view(id));
    if (!row.next()) throw no_such_job(id);
    number = row.integer(0);
    released.bytes = static_cast<u64>(row.integer(1));
  }
  end_.execute(number, name(result.state), stored(now), static_cast<i64>(bytes_of(result)));
  const auto& timings = result.timings;
  const auto stages = encode_stages(timings.stages_ms);
  insert_result_.execute(number, std::span<const u8>(result.proof), name(result.code), std::string_view(result.message),
                         i64{timings.queued.count()}, i64{timings.key_load.count()}, i64{timings.synthesis.count()},
                         i64{timings.device.count()}, i64{timings.total.count()}, std::span<const u8>(stages));
  delete_input_.execute(number);
  return released;
}

std::optional<JobTable::Released> JobTable::remove(const JobId& id) {
  i64 number = 0;
  Released released;
  {
    auto row = delete_job_.query(std::string_view(id));
    if (!row.next()) return std::nullopt;
    number = row.integer(0);
    released = {static_cast<u64>(row.integer(1)), row.integer(2) != 0};
  }
  delete_input_.execute(number);
  delete_result_.execute(number);
  return released;
}

std::vector<UnfinishedJob> JobTable::unfinished() { return read_all(unfinished_, read_unfinished); }

std::vector<FinishedJob> JobTable::finished() { return read_all(finished_, read_finished); }

std::set<JobId> JobTable::unfinished_ids() {
  std::set<JobId> result;
  auto rows = ids_.query();
  while (rows.next()) result.insert(rows.text(0));
  return result;
}

JobTable::StoredInput JobTable::input(const JobId& id) {
  auto row = input_.query(std::string_view(id));
  if (!row.next()) throw no_such_job(id);
  StoredInput result{read_record(row), std::nullopt};
  if (const auto bytes = row.blob(kAfterRecord); !bytes.empty()) result.bytes.emplace(bytes.begin(), bytes.end());
  return result;
}

JobTable::Usage JobTable::usage() {
  auto row = usage_.query();
  row.next();
  return {static_cast<u64>(row.integer(0)), static_cast<u64>(row.integer(1))};
}

}  // namespace cuzk::engine
