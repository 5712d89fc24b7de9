#include "farm/farm_view.h"

namespace cuzk::farm {

namespace {

/// As a person says it: "350 ms", "12.3 s", "1.5 h".
std::string show(std::chrono::milliseconds time) {
  const auto ms = static_cast<double>(time.count());
  if (ms < 1000) return fmt::format("{:.0f} ms", ms);
  if (ms < 120'000) return fmt::format("{:.1f} s", ms / 1000);
  if (ms < 7'200'000) return fmt::format("{:.1f} min", ms / 60'000);
  return fmt::format("{:.1f} h", ms / 3'600'000);
}

std::string size(u64 bytes) {
  if (bytes < 1'000'000) return fmt::format("{:.1f} KB", static_cast<double>(bytes) / 1e3);
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

JsonObject object_of(const FarmView::Daemon& daemon) {
  std::vector<JsonObject> keys;
  for (const auto& circuit : daemon.circuits) keys.emplace_back().add("circuit_id", circuit);
  JsonObject object;
  object.add("name", daemon.name).add("session", daemon.session);
  object.add("up_ms", daemon.up.count()).add("unseen_ms", daemon.unseen.count()).add("leases", daemon.leases);
  return object.add("room", daemon.room).add("urgent_room", daemon.urgent_room).add("keys", keys);
}

JsonObject object_of(const FarmView::Line& line) {
  JsonObject object;
  object.add("kind", line.kind).add("priority", line.priority);
  object.add("queued", line.queued).add("leased", line.leased).add("input_bytes", line.input_bytes);
  return object.add("oldest_queued_ms", line.oldest.count());
}

JsonObject object_of(const FarmView::LeaseLine& lease) {
  JsonObject object;
  object.add("job_id", lease.job).add("kind", lease.kind);
  object.add("priority", lease.priority).add("daemon", lease.daemon).add("lease", lease.number);
  return object.add("attempts", lease.attempts).add("held_ms", lease.held.count());
}

template <class T>
std::vector<JsonObject> objects_of(const std::vector<T>& things) {
  std::vector<JsonObject> objects;
  objects.reserve(things.size());
  for (const auto& each : things) objects.push_back(object_of(each));
  return objects;
}

}  // namespace

JsonObject json_of(const FarmView& view) {
  JsonObject results;
  results.add("completed", view.completed).add("failed", view.failed).add("cancelled", view.cancelled);
  results.add("timed_out", view.timed_out).add("unfetched", view.unfetched);
  JsonObject inputs;
  inputs.add("count", view.inputs).add("bytes_in_database", view.input_bytes);
  JsonObject object;
  object.add("daemons", objects_of(view.daemons)).add("queue", objects_of(view.queue));
  return object.add("leases", objects_of(view.leases)).add("results", results).add("inputs", inputs);
}

std::string text_of(const FarmView& view) {
  std::string text = fmt::format("{} daemons are alive\n", view.daemons.size());
  for (const auto& daemon : view.daemons) {
    text += fmt::format(
        "daemon {} ({}): up {}, seen {} ago, {} leases, room for {} jobs and {} urgent ones, keys: {}\n", daemon.name,
        daemon.session.substr(0, 8), show(daemon.up), show(daemon.unseen), daemon.leases, daemon.room,
        daemon.urgent_room, daemon.circuits.empty() ? "none" : fmt::format("{}", fmt::join(daemon.circuits, ", ")));
  }
  for (const auto& line : view.queue) {
    text += fmt::format("{} {}: {} wait{}, {} are leased, inputs of {}\n", line.priority, line.kind, line.queued,
                        line.queued == 0 ? "" : fmt::format(" (the oldest for {})", show(line.oldest)), line.leased,
                        size(line.input_bytes));
  }
  if (view.queue.empty()) text += "no job waits or runs\n";
  for (const auto& lease : view.leases) {
    text += fmt::format("lease {} of {} ({} {}): {} for {}, attempt {}\n", lease.number, lease.job, lease.priority,
                        lease.kind, lease.daemon, show(lease.held), lease.attempts);
  }
  text += fmt::format("results kept: {} completed, {} failed, {} cancelled, {} timed out, of them {} not fetched\n",
                      view.completed, view.failed, view.cancelled, view.timed_out, view.unfetched);
  return text + fmt::format("inputs kept: {}, {} of them in the database", view.inputs, size(view.input_bytes));
}

}  // namespace cuzk::farm
