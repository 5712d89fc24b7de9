/// One value of the configuration, read as the type that its key needs.
#pragma once

#include <toml++/toml.h>

#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"

namespace cuzk::server {

/// A node of a TOML file, or the text of an environment variable or an option: a list there is divided by commas, a table
/// is "name=value,name=value". Every function throws Error{invalid_input} naming what is wrong.
class ConfigValue {
 public:
  /// The node must outlive the value.
  ConfigValue(const toml::node& node, std::string key) : node_(&node), key_(std::move(key)) {}
  ConfigValue(std::string text, std::string key) : text_(std::move(text)), key_(std::move(key)) {}

  std::string text() const;
  bool is_text(std::string_view what) const;  ///< false, too, where it is no text
  bool flag() const;                          ///< true or false
  u64 number() const;
  u64 size() const;                            ///< bytes: a number, or text as parse_size takes it
  std::chrono::milliseconds duration() const;  ///< text as parse_duration takes it
  std::vector<std::string> texts() const;
  std::vector<std::string> words() const;  ///< texts or whole numbers; one alone is a list of one
  std::map<std::string, std::string> table() const;

 private:
  template <class T>
  T as(std::string_view what) const;

  const toml::node* node_ = nullptr;
  std::string text_;
  std::string key_;
};

/// A number with B, KiB, MiB, GiB, TiB, KB, MB, GB, TB, or without a unit: bytes. Throws Error{invalid_input}.
u64 parse_size(std::string_view text);

/// A number with ms, s, m, h or d. Throws Error{invalid_input}.
std::chrono::milliseconds parse_duration(std::string_view text);

/// The shortest text that parses to it.
std::string size_text(u64 bytes);
std::string duration_text(std::chrono::milliseconds time);

}  // namespace cuzk::server
