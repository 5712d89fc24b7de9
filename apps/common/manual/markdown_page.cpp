#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/manual/manual.h"

namespace cuzk::apps {

namespace {

/// Text of a table's cell.
std::string cell(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '|' || c == '<' || c == '*' || c == '_') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

std::string name_cell(const ManualOption& option) {
  const std::string value = option.value.empty() || option.names.front()[0] != '-' ? "" : " " + option.value;
  return fmt::format("`{}{}`", fmt::join(option.names, "`, `"), value);
}

std::string meaning_cell(const ManualOption& option) {
  std::string text = cell(option.description);
  if (!option.choices.empty()) text += fmt::format("; one of `{}`", fmt::join(option.choices, "`, `"));
  if (!option.default_text.empty()) text += fmt::format("; default `{}`", option.default_text);
  if (option.need == ManualOption::Need::required) text += "; required";
  return text;
}

std::string table(const ManualCommand& command) {
  if (command.arguments.empty() && command.options.empty()) return "";
  std::string text = "| option | meaning |\n|---|---|\n";
  for (const auto* options : {&command.arguments, &command.options})
    for (const auto& option : *options) text += fmt::format("| {} | {} |\n", name_cell(option), meaning_cell(option));
  return text + "\n";
}

std::string markdown_section(const ManualCommand& command) {
  std::string text = fmt::format("## {}\n\n{}\n\n", command.name(), command.description);
  text += table(command);
  for (const auto& note : command.notes) text += note + "\n\n";
  if (!command.examples.empty()) text += fmt::format("```sh\n{}\n```\n\n", fmt::join(command.examples, "\n"));
  for (const auto& below : command.commands) text += markdown_section(below);
  return text;
}

}  // namespace

std::string markdown_page(const ManualCommand& program) {
  std::string text = fmt::format("# {}\n\n{}\n\n", program.name(), program.description);
  text += table(program);
  for (const auto& command : program.commands) text += markdown_section(command);
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

}  // namespace cuzk::apps
