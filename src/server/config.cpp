#include "server/config.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "base/error.h"
#include "base/whole_file.h"
#include "server/config_keys.h"

namespace cuzk::server {

namespace {

void set(Config& config, std::string_view name, const ConfigValue& value) {
  const ConfigKey* key = find_key(name);
  if (key == nullptr) throw invalid_input("there is no key {}{}", name, key_hint(name));
  key->set(config, value);
  if (!key->show) config.unused.push_back(key->name);
}

/// Runs `read`; its error gets the place of the node in front.
template <class Read>
void at_line_of(const toml::node& node, std::string_view source, Read&& read) {
  try {
    read();
  } catch (const Error& error) {
    throw invalid_input("{}, line {}: {}", source, node.source().begin.line, error.what());
  }
}

void read_section(Config& config, std::string_view name, const toml::node& node, std::string_view source) {
  const auto* table = node.as_table();
  at_line_of(node, source, [&] {
    if (!is_section(name)) throw invalid_input("there is no section [{}]{}", name, section_hint(name));
    if (table == nullptr) throw invalid_input("{} must be a section: [{}]", name, name);
  });
  for (const auto& [key, value] : *table) {
    const std::string full = fmt::format("{}.{}", name, key.str());
    at_line_of(value, source, [&, &node = value] { set(config, full, ConfigValue(node, full)); });
  }
}

std::vector<Override> environment_overrides() {
  std::vector<Override> result;
  for (const auto& key : config_keys()) {
    const std::string name = environment_name(key.name);
    if (const char* value = std::getenv(name.c_str())) result.push_back({key.name, value, "environment " + name});
  }
  return result;
}

}  // namespace

std::filesystem::path default_journal_directory() {
  const char* state = std::getenv("STATE_DIRECTORY");
  return state == nullptr || *state == '\0' ? std::filesystem::path() : std::filesystem::path(state) / "journal";
}

Config parse_config(std::string_view text, std::string_view source, Config config) {
  try {
    const toml::table root = toml::parse(text, source);
    for (const auto& [name, node] : root) read_section(config, name.str(), node, source);
  } catch (const toml::parse_error& error) {
    throw invalid_input("{}, line {}: {}", source, error.source().begin.line, error.description());
  }
  return config;
}

Config read_config(const std::filesystem::path& path) {
  const auto bytes = read_whole_file(path);
  return parse_config({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path.string());
}

void set_overrides(Config& config, const std::vector<Override>& overrides) {
  for (const auto& [key, value, source] : overrides) {
    try {
      set(config, key, ConfigValue(value, key));
    } catch (const Error& error) {
      throw invalid_input("{}: {}", source, error.what());
    }
  }
}

Config load_config(const std::filesystem::path& path, const std::vector<Override>& options) {
  Config config = path.empty() ? Config{} : read_config(path);
  set_overrides(config, environment_overrides());
  set_overrides(config, options);
  return config;
}

std::string environment_name(std::string_view key) {
  std::string name = "CUZK_" + std::string(key);
  std::transform(name.begin(), name.end(), name.begin(), [](char c) {
    return c == '.' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  });
  return name;
}

}  // namespace cuzk::server
