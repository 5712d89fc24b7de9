#include <memory>

#include "commands/commands.h"
#include "commands/server_connection.h"
#include "common/output.h"
#include "server/client.h"

namespace cuzk::apps {

namespace {

struct StatusOptions {
  ConnectionOptions daemon = default_daemon();
  bool json = false;
};

std::string_view tier_of(const v1::SRSStatus& key) {
  switch (key.tier()) {
    case v1::SRSStatus::HOT: return "hot";
    case v1::SRSStatus::WARM: return "warm";
    default: return "cold";
  }
}

JsonObject json_of(const v1::GetStatusResponse& status) {
  std::vector<JsonObject> gpus, keys, queues;
  for (const auto& gpu : status.gpus()) {
    gpus.emplace_back()
        .add("ordinal", gpu.ordinal())
        .add("name", gpu.name())
        .add("current_job_id", gpu.current_job_id());
  }
  for (const auto& key : status.loaded_srs()) {
    keys.emplace_back()
        .add("circuit_id", key.circuit_id())
        .add("tier", tier_of(key))
        .add("device", key.device())
        .add("size_bytes", key.size_bytes())
        .add("ref_count", key.ref_count());
  }
  for (const auto& queue : status.queues()) {
    queues.emplace_back()
        .add("proof_kind", queue.proof_kind())
        .add("pending", queue.pending())
        .add("in_progress", queue.in_progress());
  }
  JsonObject object;
  object.add("gpus", gpus).add("loaded_srs", keys).add("queues", queues);
  object.add("total_proofs_completed", status.total_proofs_completed());
  object.add("total_proofs_failed", status.total_proofs_failed());
  return object.add("uptime_seconds", status.uptime_seconds());
}

std::string text_of(const v1::GetStatusResponse& status) {
  std::string text = fmt::format("up {} s, {} proofs made, {} failed\n", status.uptime_seconds(),
                                 status.total_proofs_completed(), status.total_proofs_failed());
  for (const auto& gpu : status.gpus()) {
    text += fmt::format("device {}: {}\n", gpu.name(),
                        gpu.current_job_id().empty() ? "idle" : gpu.current_proof_kind() + " " + gpu.current_job_id());
  }
  for (const auto& key : status.loaded_srs()) {
    text += fmt::format("key {}: {}, {} bytes", key.circuit_id(), tier_of(key), key.size_bytes());
    if (key.tier() == v1::SRSStatus::HOT) text += fmt::format(" on {}, {} jobs hold it", key.device(), key.ref_count());
    text += '\n';
  }
  for (const auto& queue : status.queues()) {
    text += fmt::format("{}: {} pending, {} in progress\n", queue.proof_kind(), queue.pending(), queue.in_progress());
  }
  text.pop_back();
  return text;
}

void show_status(const StatusOptions& options) {
  const auto status = server::Client(connection_of(options.daemon)).status();
  print(options.json ? Form::json : Form::text, json_of(status), text_of(status));
}

}  // namespace

void add_status(CLI::App& program, ExitStatus&) {
  auto options = std::make_shared<StatusOptions>();
  auto* command = program.add_subcommand("status", "Shows what a daemon does");
  add_connection_options(*command, options->daemon);
  command->add_flag("--json", options->json, "print one JSON object");
  command->footer("Example: cuzk status --connect unix:///run/curio/cuzk.sock");
  command->callback([options] { show_status(*options); });
}

}  // namespace cuzk::apps
