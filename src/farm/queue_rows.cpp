#include "farm/queue_rows.h"

#include <algorithm>
#include <array>

#include "engine/journal/record_codec.h"

namespace cuzk::farm {

#define CUZK_FARM_JOB                                                                                    \
  "select id, request_id, kind, priority, state, case when state = 'shared' then "                       \
  "(select string_agg(distinct daemon_name, ', ') from cuzk.job part where part.parent = job.id) "       \
  "else daemon_name end as daemon_name, attempts, code, message, proof, timings, stages, "               \
  "ended, fetched, acceptor, (extract(epoch from coalesce(ended, now()) - accepted) * 1000)::bigint as " \
  "since_accepted, "                                                                                     \
  "(extract(epoch from coalesce(ended, now()) - leased) * 1000)::bigint as since_leased from cuzk.job "

const char* const kSelectJob = CUZK_FARM_JOB "where id = $1";
const char* const kListAll = CUZK_FARM_JOB "where parent is null order by seq desc limit $1";
const char* const kListUnfinished =
    CUZK_FARM_JOB "where state in ('queued', 'leased', 'shared') and parent is null order by seq limit $1";

namespace {

std::string text_of(const pqxx::field& field) { return field.is_null() ? "" : field.c_str(); }

std::vector<u8> bytes_of(const pqxx::field& field) {
  if (field.is_null()) return {};
  const pqxx::binarystring bytes(field);
  return {bytes.data(), bytes.data() + bytes.size()};
}

engine::JobTimings timings_of(const pqxx::row& row) {
  engine::JobTimings timings;
  const auto numbers = words_of(row["timings"]);
  const std::array targets{&timings.queued, &timings.key_load, &timings.synthesis, &timings.device};
  for (std::size_t i = 0; i < std::min(numbers.size(), targets.size()); ++i)
    *targets[i] = std::chrono::milliseconds(std::stoll(numbers[i]));
  timings.total = time_of(row["since_accepted"]);
  if (const auto stages = bytes_of(row["stages"]); !stages.empty())
    timings.stages_ms = engine::decode_stages(stages, "the farm's database");
  return timings;
}

JobResult result_of(const pqxx::row& row, JobState state) {
  JobResult result;
  result.state = state;
  result.proof = bytes_of(row["proof"]);
  if (!row["code"].is_null()) result.code = code_of(row["code"].c_str());
  result.message = text_of(row["message"]);
  result.timings = timings_of(row);
  return result;
}

}  // namespace

InputDigest digest_of(const pqxx::field& field) {
  const auto bytes = bytes_of(field);
  InputDigest digest{};
  if (bytes.size() != digest.size()) throw internal_error("the farm's database: a digest has {} bytes", bytes.size());
  std::copy(bytes.begin(), bytes.end(), digest.begin());
  return digest;
}

JobState state_of(std::string_view word) {
  if (word == "leased" || word == "shared") return JobState::running;
  for (const auto state :
       {JobState::queued, JobState::completed, JobState::failed, JobState::cancelled, JobState::timed_out})
    if (word_of(state) == word) return state;
  throw internal_error("the farm's database: there is no state '{}'", word);
}

std::string word_of(JobState state) { return state == JobState::timed_out ? "timed_out" : std::string(name(state)); }

std::string plain(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return text;
}

Kind kind_of(std::string_view word) {
  for (const Kind kind : engine::kKinds)
    if (name(kind) == word) return kind;
  throw internal_error("the farm's database: there is no kind '{}'", word);
}

Code code_of(std::string_view word) {
  for (const auto code : {Code::invalid_input, Code::not_found, Code::resource_exhausted, Code::cancelled,
                          Code::deadline, Code::device_lost, Code::unavailable, Code::internal})
    if (name(code) == word) return code;
  throw internal_error("the farm's database: there is no code '{}'", word);
}

FarmJob job_of(const pqxx::row& row) {
  FarmJob job;
  job.id = row["id"].c_str();
  job.request_id = row["request_id"].c_str();
  job.kind = kind_of(row["kind"].c_str());
  job.priority = static_cast<Priority>(row["priority"].as<int>());
  const JobState state = state_of(row["state"].c_str());
  job.is_leased = state == JobState::running;
  job.daemon = text_of(row["daemon_name"]);
  job.acceptor = row["acceptor"].c_str();
  job.attempts = row["attempts"].as<u32>();
  job.since_accepted = time_of(row["since_accepted"]);
  job.since_leased = time_of(row["since_leased"]);
  if (is_final(state)) job.result = result_of(row, state);
  return job;
}

Claimed claimed_of(const pqxx::row& row) {
  Claimed claimed;
  claimed.lease = {row["id"].c_str(), row["lease"].as<u64>()};
  claimed.request_id = row["request_id"].c_str();
  claimed.digest = digest_of(row["digest"]);
  claimed.kind = kind_of(row["kind"].c_str());
  claimed.priority = static_cast<Priority>(row["priority"].as<int>());
  claimed.circuit = row["circuit"].c_str();
  if (!row["left_ms"].is_null()) claimed.time_left = time_of(row["left_ms"]);
  claimed.attempts = row["attempts"].as<u32>();
  claimed.waited = time_of(row["waited_ms"]);
  if (!row["of"].is_null())
    claimed.only = {row["first_partition"].as<u32>(), row["partitions"].as<u32>(), row["of"].as<u32>()};
  return claimed;
}

}  // namespace cuzk::farm
