#include "commands/manual.h"

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <memory>

#include "base/error.h"
#include "common/files.h"
#ifdef CUZK_SERVER
#include "server/config_reference.h"
#endif

namespace cuzk::apps {

namespace {

namespace fs = std::filesystem;

struct ManualOptions {
  std::string form, out;
};

/// The day that the pages are of: that of SOURCE_DATE_EPOCH where it is set, so that builds can be repeated, else today.
std::string date() {
  const char* epoch = std::getenv("SOURCE_DATE_EPOCH");
  const std::time_t time = epoch != nullptr && *epoch != '\0' ? std::strtoll(epoch, nullptr, 10) : std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&time, &parts);
  return fmt::format("{:04}-{:02}-{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday);
}

NamedTexts texts_of(const std::string& form, const ManualCommand& program, const std::vector<ProgramAlias>& aliases) {
  const std::string name = program.words.front();
  if (form == "man") return man_pages(program, aliases, {CUZK_VERSION, date()});
  if (form == "bash") return {{name, bash_completion(program, aliases)}};
  if (form == "zsh") return {{"_" + name, zsh_completion(program, aliases)}};
  if (form == "fish") return {{name + ".fish", fish_completion(program, aliases)}};
#ifdef CUZK_SERVER
  if (form == "configuration") return {{"configuration-keys.md", server::config_reference()}};
  if (form == "toml") return {{"cuzk.toml", server::example_config()}};
#endif
  return {{name + ".md", markdown_page(program)}};
}

void write_texts(const fs::path& directory, const NamedTexts& texts) {
  std::error_code ignored;  // what follows tells
  fs::create_directories(directory, ignored);
  for (const auto& [name, text] : texts) write_file(directory / name, bytes_of(text));
}

void show(const ManualOptions& options, const CLI::App& program, const std::vector<ProgramAlias>& aliases) {
  const auto texts = texts_of(options.form, manual_of(program), aliases);
  if (options.out.empty()) {
    std::cout << texts.front().second;
  } else {
    write_texts(options.out, texts);
  }
}

/// What the command can write; the configuration is that of the daemon.
std::vector<std::string> forms() {
  std::vector<std::string> forms{"man", "bash", "zsh", "fish", "markdown"};
#ifdef CUZK_SERVER
  forms.insert(forms.end(), {"configuration", "toml"});
#endif
  return forms;
}

}  // namespace

void add_manual(CLI::App& program, const std::vector<ProgramAlias>& aliases) {
  auto options = std::make_shared<ManualOptions>();
  auto* command = program.add_subcommand("manual", "Writes manual pages, completion for shells, or the reference");
  command->group("");  // for builds and packages, not for people
  command->add_option("FORM", options->form, "what to write")->required()->check(CLI::IsMember(forms()));
  command->add_option("--out", options->out, "directory for the files; without it the first goes to standard output");
  command->footer(fmt::format("Example: {} manual man --out man1", program.get_name()));
  command->callback([options, &program, aliases] { show(*options, program, aliases); });
}

}  // namespace cuzk::apps
