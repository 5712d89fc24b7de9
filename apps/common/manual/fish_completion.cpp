#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/manual/walk.h"

namespace cuzk::apps {

namespace {

/// fish reads a backslash and a quote within single quotes.
std::string fish_text(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
  return result + "'";
}

/// Whether a command has one of this name below it.
bool has_below(const ManualCommand& command, const std::string& name) {
  for (const auto& below : command.commands)
    if (below.words.back() == name || has_below(below, name)) return true;
  return false;
}

/// True where a command has been typed and none below it. fish looks for words anywhere in the line: `keys verify` has a
/// `verify` in it too, and is another command.
std::string condition(const ManualCommand& program, const ManualCommand& command) {
  std::vector<std::string> parts, others;
  for (std::size_t i = 1; i < command.words.size(); ++i)
    parts.push_back("__fish_seen_subcommand_from " + command.words[i]);
  for (const auto& next : command.commands) others.push_back(next.words.back());
  for (const auto& first : program.commands)
    if (command.words.size() == 2 && has_below(first, command.words[1])) others.push_back(first.words.back());
  if (!others.empty()) parts.push_back(fmt::format("not __fish_seen_subcommand_from {}", fmt::join(others, " ")));
  return fmt::format("{}", fmt::join(parts, "; and "));
}

std::string offer(const ManualOption& option) {
  if (option.value.empty() && option.names.front()[0] == '-') return "";
  if (!option.choices.empty())
    return fmt::format(" -x -a {}", fish_text(fmt::format("{}", fmt::join(option.choices, " "))));
  return option.content == ManualOption::Content::files ? " -r -F" : " -x";
}

std::string names_of(const ManualOption& option) {
  std::string text;
  for (const auto& name : option.names)
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  return text;
}

/// The line that offers a word or an option, while a condition holds.
std::string line(const std::string& program, const std::string& condition, const std::string& what) {
  const std::string when = condition.empty() ? "" : " -n " + fish_text(condition);
  return fmt::format("complete -c {}{}{}\n", program, when, what);
}

std::string argument_line(const std::string& program, const std::string& condition, const ManualOption& argument) {
  if (!argument.choices.empty())
    return line(program, condition,
                fmt::format(" -a {}", fish_text(fmt::format("{}", fmt::join(argument.choices, " ")))));
  return argument.content == ManualOption::Content::files ? line(program, condition, " -F") : "";
}

std::string lines_of(const std::string& program, const std::string& condition, const ManualCommand& command) {
  std::string text;
  for (const auto& below : command.commands)
    text += line(program, condition, fmt::format(" -a {} -d {}", below.words.back(), fish_text(below.description)));
  for (const auto& option : command.options)
    text += line(program, condition, names_of(option) + offer(option) + " -d " + fish_text(option.description));
  for (const auto& argument : command.arguments) text += argument_line(program, condition, argument);
  return text;
}

}  // namespace

std::string fish_completion(const ManualCommand& program, const std::vector<ProgramAlias>& aliases) {
  const std::string name = program.words.front();
  std::string text = fmt::format("# Made from --help.\ncomplete -c {} -f\n", name);
  walk(program, [&](const ManualCommand& command) { text += lines_of(name, condition(program, command), command); });
  for (const auto& [alias, command] : aliases) {
    text += fmt::format("complete -c {} -f\n", alias);
    for (const auto& below : program.commands)
      if (below.words.back() == command) text += lines_of(alias, "", below);
  }
  return text;
}

}  // namespace cuzk::apps
