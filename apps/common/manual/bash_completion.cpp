#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/manual/walk.h"

namespace cuzk::apps {

namespace {

/// What a value is: "words cpu cuda", "files" or "text".
std::string kind_of(const ManualOption& option) {
  if (!option.choices.empty()) return fmt::format("words {}", fmt::join(option.choices, " "));
  return option.content == ManualOption::Content::files ? "files" : "text";
}

/// The patterns "PATH NAME" of an option or, for an argument, "PATH @PLACE"; of the last argument all further places where
/// it takes many values.
std::vector<std::string> patterns(const std::string& path, const ManualOption& option, std::size_t place) {
  std::vector<std::string> result;
  if (option.names.front()[0] != '-')
    return {option.most == ManualOption::kMany ? fmt::format("'{} @'*", path) : fmt::format("'{} @{}'", path, place)};
  for (const auto& name : option.names) result.push_back(shell_quoted(fmt::format("{} {}", path, name)));
  return result;
}

std::string case_of(const std::string& path, const ManualOption& option, std::size_t place) {
  return fmt::format("    {}) echo {} ;;\n", fmt::join(patterns(path, option, place), " | "),
                     shell_quoted(kind_of(option)));
}

/// The body of the function that tells what stands behind an option or in a place.
std::string cases_of_values(const ManualCommand& program) {
  std::string text;
  walk(program, [&](const ManualCommand& command) {
    for (const auto& option : command.options)
      if (!option.value.empty()) text += case_of(path_of(command), option, 0);
    for (std::size_t i = 0; i < command.arguments.size(); ++i)
      text += case_of(path_of(command), command.arguments[i], i + 1);
  });
  return text;
}

/// The words that may begin an argument of a command: its commands, its options.
std::string cases_of_words(const ManualCommand& program) {
  std::string text;
  walk(program, [&](const ManualCommand& command) {
    std::vector<std::string> words, options;
    for (const auto& below : command.commands) words.push_back(below.words.back());
    for (const auto& option : command.options) options.insert(options.end(), option.names.begin(), option.names.end());
    text += fmt::format("    '{}') commands='{}' options='{}' ;;\n", path_of(command), fmt::join(words, " "),
                        fmt::join(options, " "));
  });
  return text;
}

std::string cases_of_aliases(const std::vector<ProgramAlias>& aliases) {
  std::string text;
  for (const auto& [name, command] : aliases) text += fmt::format("    {}) path=/{} ;;\n", name, command);
  return text;
}

constexpr std::string_view kScript = R"(# Completion of @PROGRAM@ for bash, made from its --help.

# @FUNCTION@_value PATH NAME: what stands behind an option, or in the place "@1"; status 1: nothing does.
@FUNCTION@_value() {
  case "$1 $2" in
@VALUES@    *) return 1 ;;
  esac
}

@FUNCTION@() {
  local word=${COMP_WORDS[COMP_CWORD]} path='' place=1 option='' commands='' options='' kind i
  case ${1##*/} in
@ALIASES@    *) ;;
  esac
  @FUNCTION@_words
  for ((i = 1; i < COMP_CWORD; ++i)); do
    if [[ -n $option ]]; then
      option=''
    elif [[ ${COMP_WORDS[i]} == -* ]]; then
      if @FUNCTION@_value "$path" "${COMP_WORDS[i]}" >/dev/null; then option=${COMP_WORDS[i]}; fi
    elif [[ " $commands " == *" ${COMP_WORDS[i]} "* ]]; then
      path+=/${COMP_WORDS[i]}
      @FUNCTION@_words
    else
      place=$((place + 1))
    fi
  done
  if [[ -z $option && $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
    return
  fi
  if [[ -z $option && -n $commands ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$word")
    return
  fi
  kind=$(@FUNCTION@_value "$path" "${option:-@$place}") || return 0
  case $kind in
    words\ *) mapfile -t COMPREPLY < <(compgen -W "${kind#words }" -- "$word") ;;
    files) mapfile -t COMPREPLY < <(compgen -f -- "$word"); compopt -o filenames 2>/dev/null || true ;;
    *) COMPREPLY=() ;;
  esac
}

# Sets commands and options, of the caller, to the words that may follow in its path.
@FUNCTION@_words() {
  case $path in
@WORDS@    *) ;;
  esac
}

complete -F @FUNCTION@ @NAMES@
)";

std::string replace(std::string text, std::string_view what, std::string_view by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

}  // namespace

std::string bash_completion(const ManualCommand& program, const std::vector<ProgramAlias>& aliases) {
  const std::string name = program.words.front();
  std::string names = name;
  for (const auto& alias : aliases) names += " " + alias.first;
  std::string text(kScript);
  text = replace(text, "@PROGRAM@", name);
  text = replace(text, "@FUNCTION@", "_" + replace(name, "-", "_"));
  text = replace(text, "@ALIASES@", cases_of_aliases(aliases));
  text = replace(text, "@VALUES@", cases_of_values(program));
  text = replace(text, "@WORDS@", cases_of_words(program));
  return replace(text, "@NAMES@", names);
}

}  // namespace cuzk::apps
