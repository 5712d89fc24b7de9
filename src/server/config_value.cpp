#include "server/config_value.h"

#include <charconv>
#include <optional>
#include <span>
#include <sstream>

#include "base/error.h"

namespace cuzk::server {

namespace {

struct Unit {
  std::string_view name;
  u64 factor;
};
// Those with which a quantity is shown come first, by size.
constexpr Unit kSizeUnits[] = {
    {"TiB", u64{1} << 40}, {"GiB", u64{1} << 30}, {"MiB", u64{1} << 20}, {"KiB", u64{1} << 10},    {"B", 1}, {"", 1},
    {"KB", 1'000},         {"MB", 1'000'000},     {"GB", 1'000'000'000}, {"TB", 1'000'000'000'000}};
constexpr Unit kTimeUnits[] = {{"d", 86'400'000}, {"h", 3'600'000}, {"m", 60'000}, {"s", 1'000}, {"ms", 1}};

/// A number followed by one of the units.
std::optional<u64> parse_quantity(std::string_view text, std::span<const Unit> units) {
  u64 number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  for (const auto& [name, factor] : units) {
    if (name != unit) continue;
    u64 product = 0;
    if (__builtin_mul_overflow(number, factor, &product)) return std::nullopt;
    return product;
  }
  return std::nullopt;
}

std::string quantity_text(u64 quantity, std::span<const Unit> units) {
  for (const auto& [name, factor] : units)
    if (quantity % factor == 0 && (quantity != 0 || factor == 1)) return fmt::format("{}{}", quantity / factor, name);
  return std::to_string(quantity);
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> result;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) result.push_back(part);
  return result;
}

}  // namespace

template <class T>
T ConfigValue::as(std::string_view what) const {
  const auto value = node_->value_exact<T>();
  if (!value) throw invalid_input("{} must be {}", key_, what);
  return *value;
}

std::string ConfigValue::text() const { return node_ == nullptr ? text_ : as<std::string>("a string"); }

bool ConfigValue::is_text(std::string_view what) const {
  return node_ == nullptr ? text_ == what : node_->value_exact<std::string>() == what;
}

bool ConfigValue::flag() const {
  if (node_ != nullptr) return as<bool>("true or false");
  if (text_ == "true" || text_ == "false") return text_ == "true";
  throw invalid_input("{} is '{}', expected true or false", key_, text_);
}

u64 ConfigValue::number() const {
  if (node_ != nullptr) {
    const i64 value = as<i64>("a whole number");
    if (value < 0) throw invalid_input("{} is {}, expected 0 or more", key_, value);
    return static_cast<u64>(value);
  }
  u64 value = 0;
  const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
  if (error == std::errc{} && end == text_.data() + text_.size()) return value;
  throw invalid_input("{} is '{}', expected a whole number", key_, text_);
}

u64 ConfigValue::size() const { return node_ != nullptr && node_->is_integer() ? number() : parse_size(text()); }

std::chrono::milliseconds ConfigValue::duration() const { return parse_duration(text()); }

std::vector<std::string> ConfigValue::texts() const {
  if (node_ == nullptr) return split(text_);
  const auto* array = node_->as_array();
  if (array == nullptr) throw invalid_input("{} must be a list of strings", key_);
  std::vector<std::string> result;
  for (const auto& element : *array) {
    result.push_back(ConfigValue(element, fmt::format("{}: item {}", key_, result.size())).text());
  }
  return result;
}

std::vector<std::string> ConfigValue::words() const {
  if (node_ == nullptr) return split(text_);
  const auto word = [](const ConfigValue& value) {
    return value.node_->is_integer() ? std::to_string(value.number()) : value.text();
  };
  const auto* array = node_->as_array();
  if (array == nullptr) return {word(*this)};
  std::vector<std::string> result;
  for (const auto& element : *array)
    result.push_back(word(ConfigValue(element, fmt::format("{}: item {}", key_, result.size()))));
  return result;
}

std::map<std::string, std::string> ConfigValue::table() const {
  std::map<std::string, std::string> result;
  if (node_ == nullptr) {
    for (const auto& part : split(text_)) {
      const auto equals = part.find('=');
      if (equals == std::string::npos) throw invalid_input("{}: '{}' is not name=value", key_, part);
      result[part.substr(0, equals)] = part.substr(equals + 1);
    }
    return result;
  }
  const auto* table = node_->as_table();
  if (table == nullptr) throw invalid_input("{} must be a section: [{}]", key_, key_);
  for (const auto& [name, node] : *table) {
    result[std::string(name.str())] = ConfigValue(node, fmt::format("{}.{}", key_, name.str())).text();
  }
  return result;
}

u64 parse_size(std::string_view text) {
  if (const auto size = parse_quantity(text, kSizeUnits)) return *size;
  throw invalid_input("size '{}' is not a number with B, KiB, MiB, GiB, TiB, KB, MB, GB or TB", text);
}

std::chrono::milliseconds parse_duration(std::string_view text) {
  if (const auto time = parse_quantity(text, kTimeUnits)) {
    if (*time < u64{1} << 62) return std::chrono::milliseconds(static_cast<i64>(*time));
  }
  throw invalid_input("time '{}' is not a number with ms, s, m, h or d", text);
}

std::string size_text(u64 bytes) { return quantity_text(bytes, kSizeUnits); }

std::string duration_text(std::chrono::milliseconds time) {
  return quantity_text(static_cast<u64>(time.count()), kTimeUnits);
}

}  // namespace cuzk::server
