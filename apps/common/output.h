/// What programs print: one object for machines or lines for people, on standard output.
#pragma once

#include <iostream>
#include <string>

#include "base/json_object.h"

namespace cuzk::apps {

enum class Form { text, json };

/// Prints the one of the two that was asked for.
inline void print(Form form, const JsonObject& object, const std::string& text) {
  std::cout << (form == Form::json ? object.text() : text) << '\n';
}

/// For people who look at a terminal or read a log: standard error.
inline void note(const std::string& text) { std::cerr << text << '\n'; }

}  // namespace cuzk::apps
