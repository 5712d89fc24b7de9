/// The command line as data: what --help says, for manual pages, completion in shells and the reference alike.
///
/// There is no second list of commands or options: all of it is read from the parser that also reads the command line.
/// What the parser hides, it hides here too.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

namespace cuzk::apps {

/// An option, a flag or a positional argument.
struct ManualOption {
  std::vector<std::string> names;    ///< "-c", "--config"; a positional argument has one: "KIND"
  std::string value;                 ///< the type that --help shows, such as "TEXT"; empty for a flag
  std::string description;           ///< a line
  std::string default_text;          ///< empty where there is none
  std::vector<std::string> choices;  ///< the only values, where they are listed
  enum class Content { files, numbers, words } content = Content::words;  ///< what a value is, where it is not listed
  enum class Need { optional, required } need = Need::optional;
  std::size_t most = 1;  ///< values that it takes at a time; kMany: as many as there are

  static constexpr std::size_t kMany = 1000;
};

/// A program, or a command of it.
struct ManualCommand {
  std::vector<std::string> words;  ///< "cuzk", "keys", "list": as it is called
  std::string description;
  std::vector<std::string> notes, examples;  ///< the lines below the options in --help
  std::vector<ManualOption> arguments;       ///< by position
  std::vector<ManualOption> options;
  std::vector<ManualCommand> commands;  ///< below it

  std::string name() const;  ///< "cuzk keys list"
  std::string page() const;  ///< "cuzk-keys-list", the name of a manual page
};

ManualCommand manual_of(const CLI::App& program);

/// Another name of a program under which it is one of its commands: {"cuzk-daemon", "serve"}.
using ProgramAlias = std::pair<std::string, std::string>;

/// What stands at the edge of a page.
struct ManualEdition {
  std::string version;  ///< "0.1.0"
  std::string date;     ///< "2026-01-31"
};

/// Name and text of the page of the program and of those of the commands directly below it, for man(1).
using NamedTexts = std::vector<std::pair<std::string, std::string>>;
NamedTexts man_pages(const ManualCommand& program, const std::vector<ProgramAlias>& aliases,
                     const ManualEdition& edition);

/// One page with a section for each command.
std::string markdown_page(const ManualCommand& program);

/// Scripts that complete command lines in a shell.
std::string bash_completion(const ManualCommand& program, const std::vector<ProgramAlias>& aliases);
std::string zsh_completion(const ManualCommand& program, const std::vector<ProgramAlias>& aliases);
std::string fish_completion(const ManualCommand& program, const std::vector<ProgramAlias>& aliases);

}  // namespace cuzk::apps
