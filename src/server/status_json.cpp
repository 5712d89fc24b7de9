#include "server/status_json.h"

#include <algorithm>

#include "base/json_object.h"
#include "server/device_names.h"
#include "server/key_tiers.h"
#include "server/state_names.h"

namespace cuzk::server {

namespace {

using engine::KindCounts;
using engine::PartitionView;
using engine::RunningJob;
using engine::WorkerView;
using State = PartitionView::State;

i64 whole_seconds(std::chrono::milliseconds time) { return time.count() / 1000; }

std::size_t count(const std::vector<WorkerView>& workers, State state) {
  return static_cast<std::size_t>(
      std::count_if(workers.begin(), workers.end(), [&](const WorkerView& worker) { return worker.state == state; }));
}

std::string_view name_of(State state) {
  switch (state) {
    case State::pending: return "pending";
    case State::witness: return "synthesizing";
    case State::witness_done: return "synth_done";
    case State::proving: return "gpu";
    default: return "done";
  }
}

JsonObject pipeline(const RunningJob& job) {
  std::vector<JsonObject> partitions;
  for (std::size_t i = 0; i < job.each.size(); ++i) {
    const PartitionView& partition = job.each[i];
    partitions.emplace_back()
        .add("index", i)
        .add("state", name_of(partition.state))
        .add("synth_ms", partition.witness.count())
        .add("gpu_ms", partition.proving.count());
  }
  JsonObject object;
  object.add("job_id", job.id).add("proof_kind", name(job.kind)).add("started_secs_ago", whole_seconds(job.ran));
  object.add("total_partitions", job.partitions).add("partitions_done", job.partitions_done);
  return object.add("partitions", partitions);
}

std::string_view work_of(State state) {
  switch (state) {
    case State::pending: return "idle";
    case State::witness: return "synthesizing";
    case State::proving: return "proving";
    default: return "waiting";  // its lane's turn to prove has not come
  }
}

std::vector<JsonObject> workers(const engine::EngineSnapshot& snapshot) {
  std::vector<JsonObject> objects;
  for (const WorkerView& lane : snapshot.workers) {
    const auto& device = snapshot.devices[lane.device].device;
    auto& object = objects.emplace_back().add("worker_id", objects.size());
    object.add("gpu_ordinal", ordinal_of(device, lane.device)).add("device", device.name);
    object.add("state", work_of(lane.state)).add("current_job", lane.job).add("current_partition", lane.partition);
    object.add("busy_secs", whole_seconds(lane.busy));
  }
  return objects;
}

std::vector<JsonObject> devices(const std::vector<engine::DeviceView>& views) {
  std::vector<JsonObject> objects;
  for (const auto& view : views) {
    auto& object = objects.emplace_back().add("name", view.device.name).add("description", view.device.description);
    object.add("state", state_name(view.state));
  }
  return objects;
}

std::vector<JsonObject> key_files(const std::vector<keys::KeyFileStatus>& files) {
  std::vector<JsonObject> objects;
  for (const auto& file : files) {
    auto& object = objects.emplace_back().add("circuit_id", file.circuit_id).add("bytes", file.bytes);
    object.add("tier", tier_name(file.tier));
  }
  return objects;
}

/// Circuits are kept as long as the process lives.
std::vector<JsonObject> compiled_circuits(const std::vector<engine::CircuitStatus>& circuits) {
  std::vector<JsonObject> objects;
  for (const auto& circuit : circuits) {
    auto& object = objects.emplace_back().add("circuit_id", circuit.circuit_id).add("bytes", circuit.bytes);
    object.add("last_used_secs_ago", circuit.idle.count()).add("evictable", false);
  }
  return objects;
}

JsonObject allocations(const engine::EngineSnapshot& snapshot, const std::vector<keys::KeyFileStatus>& files) {
  std::vector<JsonObject> srs;
  for (const auto& view : snapshot.devices) {
    for (const auto& key : view.keys) {
      auto& object = srs.emplace_back().add("circuit_id", key.circuit_id).add("device", view.device.name);
      object.add("bytes", key.bytes).add("last_used_secs_ago", key.idle.count());
      object.add("evictable", key.references == 0);
    }
  }
  return JsonObject().add("srs", srs).add("pce", compiled_circuits(snapshot.circuits)).add("files", key_files(files));
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

JsonObject buffers(const std::vector<WorkerView>& workers) {
  const auto proving = count(workers, State::proving), waiting = count(workers, State::witness_done);
  JsonObject object;
  object.add("synth_in_flight", count(workers, State::witness)).add("provers_in_flight", proving);
  return object.add("aux_in_flight", proving + waiting).add("shells_in_flight", 0).add("pending_handles", 0);
}

JsonObject memory_object(const MachineMemory& memory) {
  JsonObject object;
  object.add("total_bytes", memory.total).add("used_bytes", memory.used);
  return object.add("available_bytes", memory.available);
}

}  // namespace

StatusView status_view(const engine::Engine& engine, const keys::KeyStore& store) {
  const auto snapshot = engine.snapshot();
  return {snapshot, key_tiers(snapshot, store), machine_memory(), {}};
}

JsonObject farm_object(const farm::FarmHealth::State& farm) {
  JsonObject object;
  object.add("connected", farm.is_connected).add("reason", farm.reason);
  return object.add("since_secs", whole_seconds(farm.since));
}

std::string status_json(const StatusView& view) {
  const auto& lanes = view.engine.workers;
  std::vector<JsonObject> pipelines;
  for (const auto& job : view.engine.running) pipelines.push_back(pipeline(job));
  JsonObject object;
  object.add("uptime_secs", view.engine.uptime.count()).add("memory", memory_object(view.memory));
  JsonObject synthesis;
  synthesis.add("max_concurrent", lanes.size()).add("active", count(lanes, State::witness));
  object.add("synthesis", synthesis).add("pipelines", pipelines).add("gpu_workers", workers(view.engine));
  object.add("devices", devices(view.engine.devices)).add("allocations", allocations(view.engine, view.keys));
  object.add("counters", counters(view.engine));
  if (view.farm) object.add("farm", farm_object(*view.farm));
  return object.add("buffers", buffers(lanes)).text();
}

}  // namespace cuzk::server
