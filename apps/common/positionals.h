/// Positional arguments of commands that have another form without them.
#pragma once

#include <CLI/CLI.hpp>
#include <initializer_list>

namespace cuzk::apps {

/// The named ones may be left out.
inline void make_optional(CLI::App& command, std::initializer_list<const char*> names) {
  for (const char* name : names) command.get_option(name)->required(false);
}

/// They are missing: wrong use, as if they had been required. For a command that runs in the form that needs them.
inline void require_given(const CLI::App& command, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (command.get_option(name)->count() == 0) throw CLI::RequiredError(name);
  }
}

}  // namespace cuzk::apps
