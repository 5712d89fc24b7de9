#include <filesystem>
#include <memory>

#include "commands/commands.h"
#include "common/output.h"
#include "engine/statements/circuit_catalog.h"
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
        text + fmt::format("{} keys in {}", objects.size(), options.keys));
}

}  // namespace

void add_keys(CLI::App& program, ExitStatus&) {
  auto options = std::make_shared<KeysOptions>();
  auto* command = program.add_subcommand("keys", "The key directory");
  command->require_subcommand(1);
  auto* list = command->add_subcommand("list", "Lists the keys that are there");
  list->add_option("--keys", options->keys, "directory of the .params files")->capture_default_str();
  list->add_flag("--json", options->json, "print one JSON object");
  list->footer("Example: cuzk keys list --keys /var/tmp/filecoin-proof-parameters");
  list->callback([options] { list_keys(*options); });
}

}  // namespace cuzk::apps
