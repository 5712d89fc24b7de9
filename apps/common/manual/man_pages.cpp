#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "common/manual/manual.h"

namespace cuzk::apps {

namespace {

/// Text as roff prints it: no character that means something to it.
std::string roff(std::string_view text) {
  std::string result = !text.empty() && (text[0] == '.' || text[0] == '\'') ? "\\&" : "";
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if (c == '\n') {
      result += "\n.br\n";
    } else {
      result += c;
    }
  }
  return result;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); });
  return text;
}

/// A sentence ends with a point, whatever --help has.
std::string sentence(const std::string& text) { return roff(text) + (text.empty() || text.back() == '.' ? "" : "."); }

std::string heading(const ManualOption& option) {
  std::vector<std::string> names;
  for (const auto& name : option.names) names.push_back(fmt::format("\\fB{}\\fR", roff(name)));
  const std::string value = option.value.empty() ? "" : fmt::format(" \\fI{}\\fR", roff(option.value));
  const bool is_argument = option.names.front()[0] != '-';
  return is_argument ? fmt::format("\\fI{}\\fR", roff(option.names.front()))
                     : fmt::format("{}{}", fmt::join(names, ", "), value);
}

std::string entry(const ManualOption& option) {
  std::string text = fmt::format(".TP\n{}\n{}\n", heading(option), sentence(option.description));
  if (!option.choices.empty())
    text += fmt::format("One of: {}.\n", roff(fmt::format("{}", fmt::join(option.choices, ", "))));
  if (!option.default_text.empty()) text += fmt::format("Default: {}.\n", roff(option.default_text));
  if (option.need == ManualOption::Need::required && option.names.front()[0] == '-') text += "Required.\n";
  return text;
}

std::string synopsis(const ManualCommand& command) {
  std::string text = fmt::format(".B {}\n", roff(command.name()));
  if (!command.options.empty()) text += "[\\fIOPTION\\fR]...\n";
  for (const auto& argument : command.arguments) {
    const std::string name =
        fmt::format("\\fI{}\\fR{}", roff(argument.names.front()), argument.most == ManualOption::kMany ? "..." : "");
    text += argument.need == ManualOption::Need::required ? name + "\n" : fmt::format("[{}]\n", name);
  }
  if (!command.commands.empty()) text += "\\fICOMMAND\\fR ...\n";
  return text;
}

std::string entries(const std::vector<ManualOption>& options) {
  std::string text;
  for (const auto& option : options) text += entry(option);
  return text;
}

/// What stands below the description of a command that has a page, or a section, of its own.
std::string details(const ManualCommand& command, std::string_view macro) {
  std::string text;
  if (!command.arguments.empty()) text += fmt::format(".{} ARGUMENTS\n{}", macro, entries(command.arguments));
  if (!command.options.empty()) text += fmt::format(".{} OPTIONS\n{}", macro, entries(command.options));
  return text;
}

std::string notes(const ManualCommand& command) {
  std::string text;
  for (const auto& note : command.notes) text += fmt::format(".PP\n{}\n", sentence(note));
  return text;
}

std::string examples(const ManualCommand& command) {
  if (command.examples.empty()) return "";
  std::string text = ".SH EXAMPLES\n.nf\n";
  for (const auto& example : command.examples) text += roff(example) + "\n";
  return text + ".fi\n";
}

std::string list_of_commands(const ManualCommand& program) {
  std::string text = ".SH COMMANDS\n";
  for (const auto& command : program.commands)
    text += fmt::format(".TP\n\\fB{}\\fR(1)\n{}\n", roff(command.page()), sentence(command.description));
  return text;
}

std::string section(const ManualCommand& command) {
  std::string text = fmt::format(".SH {}\n{}\n.PP\n{}{}{}", upper(roff(command.name())), sentence(command.description),
                                 synopsis(command), notes(command), details(command, "SS"));
  for (const auto& example : command.examples) text += fmt::format(".PP\nExample:\n.B {}\n", roff(example));
  for (const auto& below : command.commands) text += section(below);
  return text;
}

std::string sections(const std::vector<ManualCommand>& commands) {
  std::string text;
  for (const auto& command : commands) text += section(command);
  return text;
}

std::string head(const ManualCommand& command, const ManualEdition& edition) {
  std::string brief = command.description;
  while (!brief.empty() && brief.back() == '.') brief.pop_back();
  return fmt::format(
             ".TH {} 1 {} \"{} {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}.SH DESCRIPTION\n{}\n",
             upper(command.page()), edition.date, command.words.front(), edition.version, roff(command.page()),
             roff(brief), synopsis(command), sentence(command.description)) +
         notes(command);
}

std::string tail(const std::vector<std::string>& others) {
  std::string text =
      ".SH EXIT STATUS\n.TP\n0\nDone.\n.TP\n1\nThe work failed; standard error says why.\n.TP\n2\nWrong use.\n";
  if (others.empty()) return text;
  text += ".SH SEE ALSO\n";
  for (std::size_t i = 0; i < others.size(); ++i)
    text += fmt::format(".BR {} (1){}\n", roff(others[i]), i + 1 < others.size() ? "," : "");
  return text;
}

std::string command_page(const ManualCommand& program, const ManualCommand& command, const ManualEdition& edition) {
  return head(command, edition) + details(command, "SH") + sections(command.commands) + examples(command) +
         tail({program.page()});
}

std::string program_page(const ManualCommand& program, const ManualEdition& edition) {
  std::vector<std::string> others;
  for (const auto& command : program.commands) others.push_back(command.page());
  return head(program, edition) + list_of_commands(program) + details(program, "SH") + tail(others);
}

}  // namespace

NamedTexts man_pages(const ManualCommand& program, const std::vector<ProgramAlias>& aliases,
                     const ManualEdition& edition) {
  NamedTexts pages{{program.page() + ".1", program_page(program, edition)}};
  for (const auto& command : program.commands)
    pages.emplace_back(command.page() + ".1", command_page(program, command, edition));
  for (const auto& [name, command] : aliases)
    pages.emplace_back(name + ".1", fmt::format(".so man1/{}-{}.1\n", program.page(), command));
  return pages;
}

}  // namespace cuzk::apps
