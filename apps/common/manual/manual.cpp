#include "common/manual/manual.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/statements/circuit_catalog.h"

namespace cuzk::apps {

namespace {

/// "TEXT:{cpu,cuda,auto}" lists the choices.
std::vector<std::string> choices_in(const std::string& type) {
  const auto begin = type.find('{'), end = type.rfind('}');
  if (begin == std::string::npos || end == std::string::npos || end < begin) return {};
  return CLI::detail::split(type.substr(begin + 1, end - begin - 1), ',');
}

bool is_number(const std::string& type) {
  return type.starts_with("UINT") || type.starts_with("INT") || type.starts_with("FLOAT");
}

/// Words in which files and folders are told apart from other texts: the parser knows only what it checks.
bool names_a_file(const CLI::Option& option, const std::string& type) {
  if (type.find("FILE") != std::string::npos || type.find("DIR") != std::string::npos) return true;
  const auto& text = option.get_description();
  const auto has = [&](const char* word) { return text.find(word) != std::string::npos; };
  return has("file") || has("directory") || has("standard input");
}

/// Whether an option takes what circuit_id() of common/checks.h checks.
bool is_circuit_id(const CLI::Option& option) try {
  // The parser only lets go of a validator that might be changed.
  return const_cast<CLI::Option&>(option).get_validator("circuit id") != nullptr;
} catch (const CLI::OptionNotFound&) {
  return false;
}

ManualOption::Content content_of(const CLI::Option& option, const std::string& type) {
  if (is_number(type)) return ManualOption::Content::numbers;
  return names_a_file(option, type) ? ManualOption::Content::files : ManualOption::Content::words;
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const auto& name : option.get_snames()) names.push_back("-" + name);
  for (const auto& name : option.get_lnames()) names.push_back("--" + name);
  if (names.empty()) names.push_back(option.get_name(true));
  return names;
}

ManualOption manual_of(const CLI::Option& option) {
  ManualOption result;
  result.names = names_of(option);
  result.description = option.get_description();
  if (option.get_required()) result.need = ManualOption::Need::required;
  if (option.get_items_expected_max() == 0) return result;
  const std::string type = option.get_type_name();
  result.value = type.substr(0, type.find(':'));
  result.default_text = option.get_default_str();
  result.choices = choices_in(type);
  if (is_circuit_id(option)) result.choices = engine::circuit_ids();
  result.content = content_of(option, type);
  result.most = option.get_expected_max() == CLI::detail::expected_max_vector_size
                    ? ManualOption::kMany
                    : static_cast<std::size_t>(option.get_items_expected_max());
  return result;
}

/// Lines of the footer: "Example: cuzk ...", and what else is said.
void read_footer(ManualCommand& command, const std::string& footer) {
  constexpr std::string_view kLabel = "Example: ";
  for (const auto& line : CLI::detail::split(footer, '\n')) {
    if (line.starts_with(kLabel)) {
      command.examples.push_back(line.substr(kLabel.size()));
    } else if (!line.empty()) {
      command.notes.push_back(line);
    }
  }
}

ManualCommand manual_of(const CLI::App& command, std::vector<std::string> words) {
  ManualCommand result;
  words.push_back(command.get_name());
  result.words = words;
  result.description = command.get_description();
  read_footer(result, command.get_footer());
  for (const auto* option : command.get_options()) {
    if (option->get_group().empty()) continue;
    (option->get_positional() ? result.arguments : result.options).push_back(manual_of(*option));
  }
  for (const auto* below : command.get_subcommands({}))
    if (!below->get_group().empty()) result.commands.push_back(manual_of(*below, words));
  return result;
}

}  // namespace

std::string ManualCommand::name() const { return fmt::format("{}", fmt::join(words, " ")); }
std::string ManualCommand::page() const { return fmt::format("{}", fmt::join(words, "-")); }

ManualCommand manual_of(const CLI::App& program) { return manual_of(program, {}); }

}  // namespace cuzk::apps
