/// One JSON object whose values may be lists of numbers and strings, which base/json_object.h has no word for.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "base/json_object.h"

namespace cuzk::measure {

class JsonFields {
 public:
  JsonFields() = default;
  /// The fields of another object, to which more are added.
  explicit JsonFields(const JsonObject& object) : members_(object.text()) {
    members_ = members_.substr(1, members_.size() - 2);
  }

  template <class T>
  JsonFields& add(std::string_view key, const T& value) {
    return add_json(key, json_of(value));
  }

  /// A value that is JSON already.
  JsonFields& add_json(std::string_view key, std::string_view json) {
    members_ += fmt::format("{}{}:{}", members_.empty() ? "" : ",", json_quoted(key), json);
    return *this;
  }

  std::string text() const { return fmt::format("{{{}}}", members_); }

  static std::string json_of(bool value) { return value ? "true" : "false"; }
  static std::string json_of(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "null"; }
  static std::string json_of(std::size_t value) { return fmt::format("{}", value); }
  static std::string json_of(unsigned value) { return fmt::format("{}", value); }
  static std::string json_of(const char* text) { return json_quoted(text); }
  static std::string json_of(const std::string& text) { return json_quoted(text); }
  static std::string json_of(const JsonFields& object) { return object.text(); }
  static std::string json_of(const std::pair<double, double>& both) {
    return fmt::format("[{},{}]", json_of(both.first), json_of(both.second));
  }
  template <class T>
  static std::string json_of(const std::vector<T>& list) {
    std::string text = "[";
    for (const T& each : list) text.append(&each == list.data() ? "" : ",").append(json_of(each));
    return text.append("]");
  }

 private:
  std::string members_;
};

}  // namespace cuzk::measure
