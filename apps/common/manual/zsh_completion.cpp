#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/manual/walk.h"

namespace cuzk::apps {

namespace {

/// Text within a specification of _arguments or _describe, where brackets and colons have a meaning.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string function_of(const ManualCommand& command) {
  std::string name = "_" + command.page();
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

/// "(a b)", "_files", or " " where nothing is offered.
std::string action(const ManualOption& option) {
  if (!option.choices.empty()) return fmt::format("({})", fmt::join(option.choices, " "));
  return option.content == ManualOption::Content::files ? "_files" : " ";
}

void add_option(std::vector<std::string>& specifications, const ManualOption& option) {
  const std::string value = option.value.empty() ? "" : fmt::format(":{}:{}", escaped(option.value), action(option));
  for (const auto& name : option.names)
    specifications.push_back(shell_quoted(fmt::format("{}[{}]{}", name, escaped(option.description), value)));
}

void add_argument(std::vector<std::string>& specifications, const ManualOption& argument, std::size_t place) {
  const std::string where = argument.most == ManualOption::kMany ? "*" : std::to_string(place);
  specifications.push_back(
      shell_quoted(fmt::format("{}:{}:{}", where, escaped(argument.names.front()), action(argument))));
}

std::string arguments_call(const ManualCommand& command) {
  std::vector<std::string> specifications;
  for (const auto& option : command.options) add_option(specifications, option);
  for (std::size_t i = 0; i < command.arguments.size(); ++i) add_argument(specifications, command.arguments[i], i + 1);
  if (!command.commands.empty()) {
    specifications.emplace_back("'1: :->command'");
    specifications.emplace_back("'*:: :->rest'");
  }
  return fmt::format("  _arguments -C \\\n    {}\n", fmt::join(specifications, " \\\n    "));
}

/// What follows a word that is a command: the offer of all, and the function of the one that was chosen.
std::string choice_of_command(const ManualCommand& command) {
  std::string offers, calls;
  for (const auto& below : command.commands) {
    offers += fmt::format("        {}\n", shell_quoted(escaped(below.words.back()) + ":" + escaped(below.description)));
    calls += fmt::format("        {}) {} ;;\n", below.words.back(), function_of(below));
  }
  return fmt::format(
      "  case $state in\n    command)\n      commands=(\n{}      )\n      _describe command commands ;;\n"
      "    rest)\n      case $line[1] in\n{}      esac ;;\n  esac\n",
      offers, calls);
}

std::string function_text(const ManualCommand& command) {
  if (command.commands.empty()) return fmt::format("{}() {{\n{}}}\n\n", function_of(command), arguments_call(command));
  return fmt::format("{}() {{\n  local state line\n  local -a commands\n{}{}}}\n\n", function_of(command),
                     arguments_call(command), choice_of_command(command));
}

}  // namespace

std::string zsh_completion(const ManualCommand& program, const std::vector<ProgramAlias>& aliases) {
  std::string names = program.words.front(), cases;
  for (const auto& [name, command] : aliases) {
    names += " " + name;
    cases += fmt::format("  {}) _{}_{} ;;\n", name, program.words.front(), command);
  }
  std::string text = fmt::format("#compdef {}\n# Made from --help.\n\n", names);
  walk(program, [&](const ManualCommand& command) { text += function_text(command); });
  return text + fmt::format("case $service in\n{}  *) {} ;;\nesac\n", cases, function_of(program));
}

}  // namespace cuzk::apps
