#include "server/page_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/json_object.h"
#include "server/device_names.h"
#include "server/state_names.h"

namespace cuzk::server {

namespace {

using engine::JobOverview;
using engine::Lane;
using engine::Priority;

/// Bytes of a text of others that are shown; the page is told of many.
constexpr std::size_t kLongestText = 600;

/// Cut between two characters of UTF-8.
std::string shortened(const std::string& text) {
  if (text.size() <= kLongestText) return text;
  std::size_t end = kLongestText;
  while (end > 0 && (static_cast<u8>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

std::string array(const std::vector<JsonObject>& objects) {
  std::string text;
  for (const auto& object : objects) text.append(text.empty() ? "" : ",").append(object.text());
  return fmt::format("[{}]", text);
}

std::string_view name_of(Priority priority) {
  switch (priority) {
    case Priority::low: return "low";
    case Priority::normal: return "normal";
    case Priority::high: return "high";
    default: return "critical";
  }
}

std::string queue(const PageView& view) {
  std::vector<JsonObject> kinds;
  for (const auto& counts : view.engine.kinds) {
    JsonObject waiting;
    for (const auto priority : {Priority::critical, Priority::high, Priority::normal, Priority::low})
      waiting.add(name_of(priority), view.overview.waiting.count(counts.kind, priority));
    auto& kind = kinds.emplace_back().add("kind", name(counts.kind)).add("waiting", waiting);
    kind.add("running", counts.running).add("completed", counts.completed).add("failed", counts.failed);
    kind.add("cancelled", counts.cancelled).add("seconds", counts.seconds);
  }
  return array(kinds);
}

JsonObject stage_of(const engine::StageOfJob& stage) {
  JsonObject object;
  object.add("name", stage.name).add("begin", stage.begin.count()).add("end", stage.end.count());
  return object.add("busy", stage.busy.count()).add("spans", stage.spans);
}

JsonObject job_of(const JobOverview& job) {
  std::vector<JsonObject> stages;
  for (const auto& stage : job.stages) stages.push_back(stage_of(stage));
  JsonObject object;
  object.add("id", job.id).add("request", shortened(job.request_id)).add("kind", name(job.kind));
  object.add("priority", name_of(job.priority)).add("state", name(job.state)).add("circuit", job.circuit);
  object.add("accepted", job.accepted.count()).add("queued", job.queued.count()).add("ran", job.ran.count());
  object.add("partitions", job.partitions).add("done", job.partitions_done).add("stage", job.stage);
  object.add("message", shortened(job.message));
  if (job.state == engine::JobState::failed) object.add("code", name(job.code));
  return object.add("stages", stages);
}

template <class Jobs>
std::string jobs_of(const Jobs& jobs) {
  std::vector<JsonObject> objects;
  for (const auto& job : jobs) {
    if constexpr (std::is_same_v<typename Jobs::value_type, JobOverview>)
      objects.push_back(job_of(job));
    else
      objects.push_back(job_of(*job));
  }
  return array(objects);
}

JsonObject lane_of(Lane::Role role, std::size_t device, u32 number) {
  JsonObject object;
  return object.add("role", name(role)).add("device", device).add("lane", number);
}

/// Of devices that are lost or spare as well: they may have a history.
std::string lanes(const PageView& view) {
  std::vector<JsonObject> objects;
  for (std::size_t device = 0; device < view.overview.lanes.size(); ++device) {
    const u32 count = view.overview.lanes[device];
    for (u32 lane = 0; lane + 1 < count; ++lane) objects.push_back(lane_of(Lane::Role::ordinary, device, lane));
    objects.push_back(lane_of(Lane::Role::urgent, device, 0));
  }
  return array(objects);
}

std::string_view name_of(engine::MemoryOfKey::State state) {
  switch (state) {
    case engine::MemoryOfKey::State::loading: return "loading";
    case engine::MemoryOfKey::State::resident: return "resident";
    default: return "evicting";
  }
}

std::string_view name_of(groth16::MemoryRegion::Block::Use use) {
  switch (use) {
    case groth16::MemoryRegion::Block::Use::key: return "key";
    case groth16::MemoryRegion::Block::Use::tile: return "tile";
    case groth16::MemoryRegion::Block::Use::work: return "work";
    case groth16::MemoryRegion::Block::Use::arena: return "arena";
    default: return "free";
  }
}

std::vector<JsonObject> regions_of(const std::vector<groth16::MemoryRegion>& regions) {
  std::vector<JsonObject> objects;
  for (const auto& region : regions) {
    std::vector<JsonObject> blocks;
    for (const auto& block : region.blocks)
      blocks.emplace_back().add("use", name_of(block.use)).add("bytes", block.bytes);
    auto& object = objects.emplace_back().add("name", region.name).add("capacity", region.capacity);
    object.add("used", region.in_use).add("peak", region.peak).add("largest_free", region.largest_free);
    object.add("blocks", blocks);
  }
  return objects;
}

JsonObject key_of(const engine::MemoryOfKey& key, const engine::DeviceView& device) {
  const auto held = std::ranges::find(device.keys, key.circuit, &keys::KeyStatus::circuit_id);
  JsonObject object;
  object.add("circuit", key.circuit).add("bytes", key.bytes).add("state", name_of(key.state));
  object.add("urgent", key.pool == engine::Pool::urgent).add("batches", key.batches);
  if (held != device.keys.end()) object.add("idle", std::chrono::milliseconds(held->idle).count());
  return object;
}

JsonObject share_of(const engine::MemoryShare& share, u64 proofs) {
  JsonObject object;
  return object.add("used", share.used).add("limit", share.limit).add("proofs", proofs);
}

std::string devices(const PageView& view) {
  std::vector<JsonObject> objects;
  for (std::size_t i = 0; i < view.engine.devices.size(); ++i) {
    const auto& device = view.engine.devices[i];
    auto& object = objects.emplace_back().add("name", device.device.name);
    object.add("description", device.device.description).add("state", state_name(device.state));
    object.add("processor", is_processor(device.device)).add("regions", regions_of(view.overview.regions.at(i)));
    const auto& all = view.overview.memory.devices;
    const auto memory = std::ranges::find(all, static_cast<u32>(i), &engine::MemoryOfDevice::device);
    if (memory == all.end()) continue;  // the scheduler does not have it
    std::vector<JsonObject> keys;
    for (const auto& key : memory->keys) keys.push_back(key_of(key, device));
    object.add("ordinary", share_of(memory->ordinary, memory->proofs));
    object.add("urgent", share_of(memory->urgent, memory->urgent_proofs)).add("keys", keys);
  }
  return array(objects);
}

JsonObject account(std::string_view name, u64 used, u64 limit) {
  JsonObject object;
  return object.add("name", name).add("used", used).add("limit", limit);
}

u64 warm_bytes(const std::vector<keys::KeyFileStatus>& files) {
  u64 bytes = 0;
  for (const auto& file : files) bytes += file.tier == keys::KeyFileStatus::Tier::warm ? file.bytes : 0;
  return bytes;
}

/// The budgets of the plan, and beside them what has none: limit 0.
std::string host(const PageView& view) {
  const auto& memory = view.overview.memory;
  std::vector<JsonObject> accounts;
  for (std::size_t i = 0; i < view.engine.devices.size(); ++i) {
    const auto& device = view.engine.devices[i].device;
    const auto found = std::ranges::find(memory.devices, static_cast<u32>(i), &engine::MemoryOfDevice::device);
    if (!is_processor(device) || found == memory.devices.end()) continue;
    accounts.push_back(account("keys and proofs on " + device.name, found->ordinary.used + found->urgent.used,
                               found->ordinary.limit + found->urgent.limit));
  }
  accounts.push_back(account("witnesses and requests", memory.host.used, memory.host.limit));
  accounts.push_back(account("the same of urgent jobs", memory.urgent_host.used, memory.urgent_host.limit));
  accounts.push_back(account("inputs that wait", view.overview.waiting_bytes, view.overview.waiting_limit));
  accounts.push_back(account("kept pages", view.kept.reserved, view.kept.budget));
  accounts.back().add("peak", view.kept.peak);
  u64 circuits = 0;
  for (const auto& circuit : view.engine.circuits) circuits += circuit.bytes;
  accounts.push_back(account("compiled circuits", circuits, 0));
  accounts.push_back(account("key files in the page cache", warm_bytes(view.keys), view.plan.warm_keys));
  JsonObject object;
  object.add("total", view.memory.total).add("used", view.memory.used).add("available", view.memory.available);
  return object.add("accounts", accounts).text();
}

std::string key_files(const PageView& view) {
  std::vector<JsonObject> objects;
  for (const auto& file : view.keys)
    objects.emplace_back().add("circuit", file.circuit_id).add("bytes", file.bytes).add("tier", tier_name(file.tier));
  return array(objects);
}

std::string_view name_of(MachineCheck::State state) {
  switch (state) {
    case MachineCheck::State::ok: return "ok";
    case MachineCheck::State::warn: return "warn";
    default: return "fail";
  }
}

std::string doctor(const PageView& view) {
  std::vector<JsonObject> objects;
  for (const auto& check : view.checks) {
    auto& object = objects.emplace_back().add("name", check.name).add("state", name_of(check.state));
    object.add("value", check.value).add("advice", check.advice);
  }
  return array(objects);
}

std::string clock_of(const PageView& view) { return JsonObject().add("now", view.overview.now.count()).text(); }

std::string daemon(const PageView& view) {
  const bool accepts = view.engine.mode == engine::Mode::accepting;
  return JsonObject().add("machine", view.machine).add("mode", accepts ? "accepting" : "draining").text();
}

}  // namespace

std::map<std::string, std::string> page_sections(const PageView& view) {
  return {{"clock", clock_of(view)},
          {"daemon", daemon(view)},
          {"queue", queue(view)},
          {"lanes", lanes(view)},
          {"running", jobs_of(view.overview.running)},
          {"waiting", jobs_of(view.overview.queued)},
          {"ended", jobs_of(view.overview.ended)},
          {"failures", jobs_of(view.overview.failures)},
          {"devices", devices(view)},
          {"host", host(view)},
          {"keys", key_files(view)},
          {"doctor", doctor(view)}};
}

std::string span_json(const engine::LaneSpan& span, const engine::Engine& engine) {
  const bool is_running = span.how == engine::LaneSpan::End::running;
  const auto end = is_running ? "null" : fmt::format("{}", engine.since_start(span.end).count());
  return fmt::format("[{},{},{},{},{},{},{},{},{},{}]", json_quoted(name(span.lane.role)), span.lane.device,
                     span.lane.number, json_quoted(name(span.stage)), engine.since_start(span.begin).count(), end,
                     json_quoted(span.subject), span.partition, span.together, json_quoted(name(span.how)));
}

}  // namespace cuzk::server
