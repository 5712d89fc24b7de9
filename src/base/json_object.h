/// One JSON object, built key by key in the order in which it is printed.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/json_text.h"

namespace cuzk {

class JsonObject {
 public:
  JsonObject& add(std::string_view key, std::string_view text) { return add_raw(key, json_quoted(text)); }
  JsonObject& add(std::string_view key, const char* text) { return add(key, std::string_view(text)); }
  JsonObject& add(std::string_view key, const std::string& text) { return add(key, std::string_view(text)); }
  JsonObject& add(std::string_view key, const JsonObject& object) { return add_raw(key, object.text()); }

  template <class T>
  requires std::is_arithmetic_v<T> JsonObject& add(std::string_view key, T value) {
    return add_raw(key, fmt::format("{}", value));  // numbers, and true or false
  }

  JsonObject& add(std::string_view key, const std::vector<JsonObject>& list) {
    std::string text;
    for (const auto& object : list) text += fmt::format("{}{}", text.empty() ? "" : ",", object.text());
    return add_raw(key, fmt::format("[{}]", text));
  }

  std::string text() const { return fmt::format("{{{}}}", members_); }

 private:
  JsonObject& add_raw(std::string_view key, const std::string& value) {
    if (!members_.empty()) members_ += ',';
    members_ += fmt::format("{}:{}", json_quoted(key), value);
    return *this;
  }

  std::string members_;
};

}  // namespace cuzk
