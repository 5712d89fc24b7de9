#include "server/http_status.h"

#include <algorithm>
#include <functional>

#include "base/error.h"
#include "base/json_object.h"

namespace cuzk::server {

namespace {

using engine::JobView;
using engine::Kind;
using engine::KindCounts;

/// Whether a partition is on the device; before, its witness is made.
bool is_proving(const JobView& job) { return job.stage.starts_with("proving"); }

i64 seconds_running(const JobView& job) { return job.ran.count() / 1000; }

std::size_t count_proving(const std::vector<JobView>& jobs) {
  return static_cast<std::size_t>(std::count_if(jobs.begin(), jobs.end(), is_proving));
}

std::string_view state_of(const JobView& job, std::size_t partition) {
  if (partition < job.partitions_done) return "done";
  const bool proving = is_proving(job);
  if (partition == job.partitions_done) return proving ? "gpu" : "synthesizing";
  return proving && partition == job.partitions_done + 1 ? "synthesizing" : "pending";
}

JsonObject pipeline(const JobView& job) {
  std::vector<JsonObject> partitions;
  for (std::size_t i = 0; i < job.partitions; ++i)
    partitions.emplace_back().add("index", i).add("state", state_of(job, i)).add("synth_ms", 0).add("gpu_ms", 0);
  JsonObject object;
  object.add("job_id", job.id).add("proof_kind", name(job.kind)).add("started_secs_ago", seconds_running(job));
  object.add("total_partitions", job.partitions).add("partitions_done", job.partitions_done);
  return object.add("partitions", partitions);
}

JsonObject worker(const std::vector<JobView>& jobs) {
  const auto busy = std::find_if(jobs.begin(), jobs.end(), is_proving);
  JsonObject object;
  object.add("worker_id", 0).add("gpu_ordinal", 0);
  if (busy == jobs.end()) {
    object.add("state", "idle").add("current_job", "").add("current_partition", 0);
    return object.add("busy_secs", 0);
  }
  object.add("state", "proving").add("current_job", busy->id).add("current_partition", busy->partitions_done);
  return object.add("busy_secs", seconds_running(*busy));
}

JsonObject allocations(const std::vector<keys::KeyStatus>& keys) {
  std::vector<JsonObject> srs;
  for (const auto& key : keys) {
    auto& object = srs.emplace_back().add("circuit_id", key.circuit_id).add("bytes", key.bytes);
    object.add("last_used_secs_ago", 0).add("evictable", key.references == 0);
  }
  return JsonObject().add("srs", srs).add("pce", std::vector<JsonObject>());
}

template <class Count>
JsonObject by_kind(const engine::EngineSnapshot& snapshot, Count KindCounts::*count) {
  JsonObject object;
  for (const KindCounts& counts : snapshot.kinds) object.add(name(counts.kind), counts.*count);
  return object;
}

template <class Count>
u64 total(const engine::EngineSnapshot& snapshot, Count KindCounts::*count) {
  u64 sum = 0;
  for (const KindCounts& counts : snapshot.kinds) sum += counts.*count;
  return sum;
}

JsonObject counters(const engine::EngineSnapshot& snapshot) {
  JsonObject object;
  object.add("total_completed", total(snapshot, &KindCounts::completed));
  object.add("total_failed", total(snapshot, &KindCounts::failed));
  object.add("completed_by_kind", by_kind(snapshot, &KindCounts::completed));
  object.add("failed_by_kind", by_kind(snapshot, &KindCounts::failed));
  return object.add("queue_depth", total(snapshot, &KindCounts::pending));
}

JsonObject buffers(std::size_t synthesizing, std::size_t proving) {
  JsonObject object;
  object.add("synth_in_flight", synthesizing).add("provers_in_flight", proving);
  return object.add("aux_in_flight", 0).add("shells_in_flight", 0).add("pending_handles", 0);
}

JsonObject memory_object(const MachineMemory& memory) {
  JsonObject object;
  object.add("total_bytes", memory.total).add("used_bytes", memory.used);
  return object.add("available_bytes", memory.available);
}

HttpAnswer json(const JsonObject& object, int status = 200) {
  return {status, "application/json", object.text() + "\n"};
}

/// Whether requests of a kind are taken at all.
bool is_offered(const engine::StatementDecoder& decoder, Kind kind) {
  try {
    decoder.check_offered(kind);
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// "/readyz" asks for all kinds together, "/readyz/window-post" for one.
HttpAnswer readiness(const StatusSources& sources, std::string_view path) {
  const std::string_view asked = path.size() > 8 ? path.substr(8) : "";
  const bool accepts = sources.engine.snapshot().mode == engine::Mode::accepting;
  bool known = asked.empty(), ready = accepts;
  JsonObject kinds;
  for (const Kind kind : engine::kKinds) {
    const bool kind_ready = accepts && is_offered(sources.decoder, kind);
    kinds.add(name(kind), kind_ready);
    if (name(kind) != asked) continue;
    known = true;
    ready = kind_ready;
  }
  if (!known) return {404, "text/plain", fmt::format("there is no kind '{}'\n", asked)};
  JsonObject object;
  object.add("live", true).add("ready", ready).add("draining", !accepts).add("kinds", kinds);
  return json(object, ready ? 200 : 503);
}

StatusView view_of(const StatusSources& sources) {
  return {sources.engine.snapshot(), sources.keys.status(), sources.device, machine_memory()};
}

}  // namespace

std::string status_json(const StatusView& view) {
  const auto& jobs = view.engine.running;
  const std::size_t proving = count_proving(jobs), synthesizing = jobs.size() - proving;
  std::vector<JsonObject> pipelines;
  for (const auto& job : jobs) pipelines.push_back(pipeline(job));
  JsonObject object;
  object.add("uptime_secs", view.engine.uptime.count()).add("memory", memory_object(view.memory));
  object.add("synthesis", JsonObject().add("max_concurrent", 1).add("active", synthesizing));
  object.add("pipelines", pipelines).add("gpu_workers", std::vector{worker(jobs)});
  object.add("allocations", allocations(view.keys)).add("counters", counters(view.engine));
  return object.add("buffers", buffers(synthesizing, proving)).text();
}

std::vector<HttpRoute> status_routes(const StatusSources& sources) {
  return {
      {"/status.*",
       [sources](std::string_view) -> HttpAnswer {
         return {200, "application/json", status_json(view_of(sources)) + "\n"};
       }},
      {"/metrics",
       [sources](std::string_view) -> HttpAnswer {
         return {200, "text/plain; version=0.0.4; charset=utf-8",
                 sources.metrics.text(sources.engine.snapshot(), sources.keys.status(), 1)};
       }},
      {"/healthz", [](std::string_view) -> HttpAnswer { return json(JsonObject().add("live", true)); }},
      {"/readyz(/[a-z0-9-]+)?", [sources](std::string_view path) { return readiness(sources, path); }},
  };
}

}  // namespace cuzk::server
