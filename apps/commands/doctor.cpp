#include "common/doctor.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "commands/commands.h"
#include "common/output.h"
#include "keys/key_store.h"

namespace cuzk::apps {

namespace {

struct DoctorOptions {
  std::string keys = keys::default_key_directory().string();
  bool json = false;
};

Findings examine_all(const DoctorOptions& options) {
  Findings all;
  for (const Findings& some :
       {examine_program(), examine_machine(), examine_limits(options.keys), examine_files(options.keys)})
    all.insert(all.end(), some.begin(), some.end());
  // With a path that cannot be taken nothing can be computed.
  const bool can_compute = std::none_of(all.begin(), all.end(), [](const auto& f) { return f.health == Health::fail; });
  if (!can_compute) return all;
  const Findings devices = examine_devices();
  all.insert(all.end(), devices.begin(), devices.end());
  return all;
}

JsonObject json_of(const Finding& finding) {
  JsonObject object;
  object.add("name", finding.name).add("state", std::string(name_of(finding.health))).add("value", finding.value);
  if (!finding.advice.empty()) object.add("advice", finding.advice);
  return object;
}

std::string line_of(const Finding& finding) {
  const std::string advice = finding.advice.empty() ? "" : fmt::format("\n{:<26}-> {}", "", finding.advice);
  return fmt::format("{:<5} {:<19} {}{}\n", name_of(finding.health), finding.name, finding.value, advice);
}

void examine(const DoctorOptions& options, ExitStatus& status) {
  const Findings findings = examine_all(options);
  std::vector<JsonObject> objects;
  std::string text;
  std::size_t warnings = 0, failures = 0;
  for (const Finding& finding : findings) {
    objects.push_back(json_of(finding));
    text += line_of(finding);
    warnings += finding.health == Health::warn ? 1 : 0;
    failures += finding.health == Health::fail ? 1 : 0;
  }
  if (failures > 0) status = kFailed;
  JsonObject object;
  object.add("ok", failures == 0).add("warnings", warnings).add("checks", objects);
  print(options.json ? Form::json : Form::text, object,
        text + fmt::format("{} checks: {} to look at, {} failed", findings.size(), warnings, failures));
}

}  // namespace

void add_doctor(CLI::App& program, ExitStatus& status) {
  auto options = std::make_shared<DoctorOptions>();
  auto* command = program.add_subcommand(
      "doctor",
      "Says what this machine has and which paths cuzk takes on it; exit status 1 when cuzk cannot work here");
  command->add_option("--keys", options->keys, "directory of the .params files")->capture_default_str();
  command->add_flag("--json", options->json, "print one JSON object");
  command->footer("Example: cuzk doctor --keys /var/tmp/filecoin-proof-parameters");
  command->callback([options, &status] { examine(*options, status); });
}

}  // namespace cuzk::apps
