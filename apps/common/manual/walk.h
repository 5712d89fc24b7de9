/// What the scripts for shells have in common.
#pragma once

#include <string>
#include <string_view>

#include "common/manual/manual.h"

namespace cuzk::apps {

/// "/keys/list": the words of a command behind the program's, empty for the program itself.
inline std::string path_of(const ManualCommand& command) {
  std::string path;
  for (std::size_t i = 1; i < command.words.size(); ++i) path += "/" + command.words[i];
  return path;
}

/// Calls visit(command) for the command and all below it.
template <class Visit>
void walk(const ManualCommand& command, Visit&& visit) {
  visit(command);
  for (const auto& below : command.commands) walk(below, visit);
}

/// The text between single quotes, as every shell here reads it.
inline std::string shell_quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

}  // namespace cuzk::apps
