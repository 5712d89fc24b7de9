#include <filesystem>
#include <memory>

#include "base/error.h"
#include "commands/commands.h"
#include "common/output.h"
#include "common/progress_bar.h"
#include "common/provers.h"
#include "engine/statements/circuit_catalog.h"
#include "groth16/prover.h"
#include "keys/key_store.h"

namespace cuzk::apps {

namespace {

namespace fs = std::filesystem;

struct KeysOptions {
  std::string keys = keys::default_key_directory().string();
  bool json = false;
};

/// Size of a file; 0 when there is none.
u64 size_of(const fs::path& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  return error ? 0 : size;
}

void list_keys(const KeysOptions& options) {
  std::vector<JsonObject> objects;
  std::string text;
  for (const auto& id : engine::circuit_ids()) {
    const auto names = engine::key_file_names(id);
    const u64 params = size_of(fs::path(options.keys) / names.params), vk = size_of(fs::path(options.keys) / names.vk);
    if (params == 0 && vk == 0) continue;
    JsonObject object;
    object.add("circuit", id).add("params", names.params).add("params_size", params);
    object.add("vk", names.vk).add("vk_size", vk);
    objects.push_back(object);
    text += fmt::format("{:<12} {:>15} bytes  {}\n", id, params, names.params);
  }
  JsonObject object;
  object.add("directory", options.keys).add("keys", objects);
  print(options.json ? Form::json : Form::text, object,
        text + fmt::format("keys in {1}: {0}", objects.size(), options.keys));
}

/// A mistyped name must not pass for a directory whose keys are all right.
void check_directory(const fs::path& directory) {
  if (!fs::is_directory(directory))
    throw Error(Code::not_found, fmt::format("{}: no such directory", directory.string()));
}

struct VerifyKeysOptions {
  std::string keys = keys::default_key_directory().string(), device = "auto";
  u64 vram_limit = 0;
  bool deep = false, json = false;
};

/// What is wrong with a circuit's key file; nothing when all of it is right.
std::string fault_of(groth16::Prover& prover, const fs::path& directory, const std::string& circuit_id,
                     groth16::KeyCheck check) {
  ProgressBar bar;
  groth16::Control control;
  control.on_progress = bar.callback();
  try {
    keys::KeyStore store(directory, engine::key_file_names, prover, check);
    const auto key = store.load(circuit_id, control).key;
    if (store.verifying_key(circuit_id).to_bytes() != key->verifying_key().to_bytes())
      return fmt::format("{} is not the verifying key of {}", engine::key_file_names(circuit_id).vk,
                         engine::key_file_names(circuit_id).params);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

/// Reads every key of the directory as a proof would: lengths and points, and the digest where it is known which it must
/// have.
void verify_keys(const VerifyKeysOptions& options, ExitStatus& status) {
  check_directory(options.keys);
  const auto prover = make_prover(options.device, ThreadPool::shared(), options.vram_limit);
  const auto check = options.deep ? groth16::KeyCheck::subgroups : groth16::KeyCheck::points;
  std::vector<JsonObject> objects;
  std::string text;
  for (const auto& id : engine::circuit_ids()) {
    const auto name = engine::key_file_names(id).params;
    if (!fs::exists(fs::path(options.keys) / name)) continue;
    const auto fault = fault_of(*prover, options.keys, id, check);
    objects.push_back(std::move(JsonObject().add("file", name).add("ok", fault.empty()).add("reason", fault)));
    text += fmt::format("{:<12} {}\n", id, fault.empty() ? "ok" : fault);
    if (!fault.empty()) status = kFailed;
  }
  JsonObject object;
  object.add("directory", options.keys).add("keys", objects);
  print(options.json ? Form::json : Form::text, object,
        text + fmt::format("{} checked in {}", objects.size(), options.keys));
}

void add_verify_keys(CLI::App& keys, ExitStatus& status) {
  auto options = std::make_shared<VerifyKeysOptions>();
  auto* command = keys.add_subcommand(
      "verify", "Checks lengths, points and digest of every key; exit status 1 when one is damaged");
  command->add_option("--keys", options->keys, "directory of the .params files")->capture_default_str();
  command->add_flag("--deep", options->deep, "also that every point is in its subgroup: minutes, on a GPU seconds");
  add_device_options(*command, options->device, options->vram_limit);
  command->add_flag("--json", options->json, "print one JSON object");
  command->footer("Example: cuzk keys verify --keys /var/tmp/filecoin-proof-parameters");
  command->callback([options, &status] { verify_keys(*options, status); });
}

}  // namespace

void add_keys(CLI::App& program, ExitStatus& status) {
  auto options = std::make_shared<KeysOptions>();
  auto* command = program.add_subcommand("keys", "The key directory, and the keys that a daemon has loaded");
  command->require_subcommand(1);
  auto* list = command->add_subcommand("list", "Lists the keys that are there");
  list->add_option("--keys", options->keys, "directory of the .params files")->capture_default_str();
  list->add_flag("--json", options->json, "print one JSON object");
  list->footer("Example: cuzk keys list --keys /var/tmp/filecoin-proof-parameters");
  list->callback([options] { list_keys(*options); });
  add_verify_keys(*command, status);
#ifdef CUZK_SERVER
  add_key_store_commands(*command);
#endif
}

}  // namespace cuzk::apps
