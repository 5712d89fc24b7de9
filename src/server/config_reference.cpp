#include "server/config_reference.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "server/config_keys.h"
#include "server/config_topics.h"

namespace cuzk::server {

namespace {

constexpr std::string_view kExampleHead =
    R"(# The configuration of the proving daemon: cuzk serve -c /etc/cuzk/cuzk.toml
#
# Every key stands here with its default, behind a #. What a key needs is checked when the file is read: a name that does
# not exist, a wrong type or an impossible value is an error with its line. `cuzk serve -c FILE --check` says what would be
# used and what is wrong, and starts nothing.
#
# Above this file stand environment variables (CUZK_DAEMON_LISTEN for daemon.listen, CUZK_SRS_PRELOAD=porep-32g,snap-32g for
# a list), above those the options of the command line: --listen, --log-level, --insecure and, for every key, --set
# daemon.listen=127.0.0.1:9820.
#
# SIGHUP (systemctl reload cuzk) reads everything again: [logging], the limits in [jobs], tokens and certificates change
# at once, the log names what else differs and needs a restart.
#
# Sizes take B, KiB, MiB, GiB, TiB, KB, MB, GB, TB; times ms, s, m, h, d.
)";

constexpr std::string_view kReferenceHead = R"(# Every key of the configuration

Made by `cuzk manual configuration` from the table that the daemon reads its configuration with; a test holds this page equal to it. How file, environment and options work together: [configuration.md](configuration.md). The same as a file to begin with:
[packaging/cuzk.toml](../packaging/cuzk.toml).
)";

std::string_view table_of(std::string_view key) { return key.substr(0, key.find('.')); }
std::string_view name_in_section(std::string_view key) { return key.substr(key.find('.') + 1); }

std::string default_of(const ConfigTopic& topic, std::string_view key) {
  if (!topic.default_text.empty()) return std::string(topic.default_text);
  Config defaults;
  defaults.journal.clear();  // it depends on who starts the process
  return find_key(key)->show(defaults);
}

/// Lines of at most 120 characters behind "# ".
std::string comment(std::string_view text) {
  constexpr std::size_t kWidth = 120;
  std::string result, line = "#";
  while (!text.empty()) {
    const auto word = text.substr(0, text.find(' '));
    if (line.size() + 1 + word.size() > kWidth) {
      result += line + "\n";
      line.resize(1);
    }
    line += fmt::format(" {}", word);
    text.remove_prefix(std::min(text.size(), word.size() + 1));
  }
  return result + line + "\n";
}

/// The names of the keys that existing files have and that do nothing.
std::vector<std::string> names_without_effect() {
  std::vector<std::string> names;
  for (const auto& key : config_keys())
    if (!key.show) names.push_back(key.name);
  return names;
}

std::string row(const ConfigTopic& topic, std::string_view key, std::string_view meaning) {
  const bool at_reload = find_key(key)->change == ConfigKey::Change::at_reload;
  return fmt::format("| `{}` | `{}` | `{}` | {} | {} |\n", name_in_section(key), default_of(topic, key),
                     environment_name(key), at_reload ? "reload" : "restart", meaning);
}

/// A `<` or a `|` within a table.
std::string cell(std::string_view text) {
  std::string result;
  for (const char c : text)
    result += c == '|' ? std::string("\\|") : c == '<' ? std::string("&lt;") : std::string(1, c);
  return result;
}

std::string rows(const ConfigTopic& topic) {
  std::string text;
  for (const auto key : topic.keys)
    text += row(
        topic, key,
        key == topic.keys.front() ? cell(topic.meaning) : fmt::format("see `{}`", name_in_section(topic.keys.front())));
  return text;
}

}  // namespace

std::string example_config() {
  std::string text(kExampleHead);
  std::string_view section;
  for (const auto& topic : config_topics()) {
    text += "\n";
    if (section != table_of(topic.keys.front())) text += fmt::format("[{}]\n", table_of(topic.keys.front()));
    section = table_of(topic.keys.front());
    text += comment(topic.meaning);
    for (const auto key : topic.keys) text += fmt::format("#{} = {}\n", name_in_section(key), default_of(topic, key));
  }
  return text + "\n" +
         comment(fmt::format("Keys of existing installations that are accepted and have no effect in this version: {}.",
                             fmt::join(names_without_effect(), ", ")));
}

std::string config_reference() {
  std::string text(kReferenceHead);
  std::string_view section;
  for (const auto& topic : config_topics()) {
    if (section != table_of(topic.keys.front()))
      text +=
          fmt::format("\n## [{}]\n\n| key | default | environment | changes at | meaning |\n|---|---|---|---|---|\n",
                      table_of(topic.keys.front()));
    section = table_of(topic.keys.front());
    text += rows(topic);
  }
  return text + fmt::format(
                    "\n## Without effect\n\nKeys of existing installations that are accepted, checked for their "
                    "type and named in the log: `{}`.\n",
                    fmt::join(names_without_effect(), "`, `"));
}

}  // namespace cuzk::server
