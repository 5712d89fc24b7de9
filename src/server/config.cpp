#include "server/config.h"

#include <toml++/toml.h>

#include <charconv>
#include <functional>
#include <map>
#include <optional>
#include <sstream>

#include "base/error.h"
#include "base/mapped_file.h"
#include "engine/statements/circuit_catalog.h"

namespace cuzk::server {

namespace {

struct Unit {
  std::string_view name;
  u64 factor;
};
constexpr Unit kSizeUnits[] = {{"", 1},
                               {"B", 1},
                               {"KiB", u64{1} << 10},
                               {"MiB", u64{1} << 20},
                               {"GiB", u64{1} << 30},
                               {"TiB", u64{1} << 40},
                               {"KB", 1'000},
                               {"MB", 1'000'000},
                               {"GB", 1'000'000'000},
                               {"TB", 1'000'000'000'000}};
constexpr Unit kTimeUnits[] = {{"ms", 1}, {"s", 1'000}, {"m", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}};

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

/// One value of the file with its place, read as the type that its key needs.
class Value {
 public:
  Value(const toml::node& node, std::string key) : node_(node), key_(std::move(key)) {}

  std::string text() const { return as<std::string>("a string"); }
  bool flag() const { return as<bool>("true or false"); }

  u64 number() const {
    const i64 value = as<i64>("a whole number");
    if (value < 0) throw invalid_input("{} is {}, expected 0 or more", key_, value);
    return static_cast<u64>(value);
  }

  u64 size() const { return node_.is_integer() ? number() : parse_size(text()); }

  std::vector<std::string> texts() const {
    const auto* array = node_.as_array();
    if (array == nullptr) throw invalid_input("{} must be a list of strings", key_);
    std::vector<std::string> result;
    for (const auto& element : *array) {
      result.push_back(Value(element, fmt::format("{}: item {}", key_, result.size())).text());
    }
    return result;
  }

 private:
  template <class T>
  T as(std::string_view what) const {
    const auto value = node_.value_exact<T>();
    if (!value) throw invalid_input("{} must be {}", key_, what);
    return *value;
  }

  const toml::node& node_;
  std::string key_;
};

using Setter = std::function<void(Config&, const Value&)>;

void set_threads(Config& config, const Value& value) {
  const u64 threads = value.number();
  if (threads > 4096) throw invalid_input("synthesis.threads is {}, expected at most 4096", threads);
  config.threads = static_cast<unsigned>(threads);
}

void set_preload(Config& config, const Value& value) {
  config.preload = value.texts();
  for (std::size_t i = 0; i < config.preload.size(); ++i) {
    try {
      engine::check_circuit_id(config.preload[i]);
    } catch (const Error& error) {
      throw invalid_input("srs.preload: item {}: {}", i, error.what());
    }
  }
}

/// Every key that a file may have.
const std::map<std::string, Setter, std::less<>>& settings() {
  static const std::map<std::string, Setter, std::less<>> all{
      {"daemon.listen", [](Config& c, const Value& v) { c.listen = parse_addresses(v.text()); }},
      {"srs.param_cache", [](Config& c, const Value& v) { c.param_cache = v.text(); }},
      {"srs.preload", set_preload},
      {"circuits.cache", [](Config& c, const Value& v) { c.circuits = engine::circuit_cache(v.text()); }},
      {"synthesis.threads", set_threads},
      {"logging.level", [](Config& c, const Value& v) { c.log_level = log_level(v.text()); }},
      {"logging.format", [](Config& c, const Value& v) { c.log_format = log_format(v.text()); }},
      {"jobs.max_queued", [](Config& c, const Value& v) { c.engine.max_queued = v.number(); }},
      {"jobs.max_queued_size", [](Config& c, const Value& v) { c.engine.max_queued_bytes = v.size(); }},
      {"jobs.keep_count", [](Config& c, const Value& v) { c.engine.retention.jobs = v.number(); }},
      {"jobs.keep_size", [](Config& c, const Value& v) { c.engine.retention.bytes = v.size(); }},
      {"jobs.keep_time",
       [](Config& c, const Value& v) {
         c.engine.retention.age = std::chrono::duration_cast<std::chrono::seconds>(parse_duration(v.text()));
       }},
  };
  return all;
}

void unused_text(Config&, const Value& value) { value.text(); }
void unused_number(Config&, const Value& value) { value.number(); }
void unused_flag(Config&, const Value& value) { value.flag(); }
void unused_size(Config&, const Value& value) {
  try {
    value.size();
  } catch (const Error&) {
    if (value.text() != "auto") throw;
  }
}
void unused_devices(Config&, const Value&) {}

/// Keys of existing files that have no effect here; their types are checked all the same.
const std::map<std::string, Setter, std::less<>>& unused_settings() {
  static const std::map<std::string, Setter, std::less<>> all{
      {"daemon.status_listen", unused_text},
      {"memory.total_budget", unused_size},
      {"memory.safety_margin", unused_size},
      {"memory.eviction_min_idle", [](Config&, const Value& v) { parse_duration(v.text()); }},
      {"gpus.devices", unused_devices},
      {"gpus.gpu_threads", unused_number},
      {"gpus.gpu_workers_per_device", unused_number},
      {"scheduler.max_batch_size", unused_number},
      {"scheduler.max_batch_wait_ms", unused_number},
      {"scheduler.sort_by_type", unused_flag},
      {"pipeline.enabled", unused_flag},
      {"pipeline.synthesis_lookahead", unused_number},
      {"pipeline.synthesis_concurrency", unused_number},
      {"pipeline.max_parallel_synthesis", unused_number},
      {"pipeline.max_gpu_queue_depth", unused_number},
  };
  return all;
}

void set(Config& config, const std::string& key, const toml::node& node) {
  const Value value(node, key);
  if (const auto used = settings().find(key); used != settings().end()) {
    used->second(config, value);
  } else if (const auto unused = unused_settings().find(key); unused != unused_settings().end()) {
    unused->second(config, value);
    config.unused.push_back(key);
  } else {
    throw invalid_input("there is no key {}", key);
  }
}

bool is_section(std::string_view name) {
  const auto begins = [&](const auto& entry) { return entry.first.starts_with(std::string(name) + "."); };
  return std::any_of(settings().begin(), settings().end(), begins) ||
         std::any_of(unused_settings().begin(), unused_settings().end(), begins);
}

/// Runs `read`; its error gets the place of the node in front.
template <class Read>
void at_line_of(const toml::node& node, std::string_view source, Read&& read) {
  try {
    read();
  } catch (const Error& error) {
    throw invalid_input("{}, line {}: {}", source, node.source().begin.line, error.what());
  }
}

void read_section(Config& config, std::string_view name, const toml::node& node, std::string_view source) {
  const auto* table = node.as_table();
  at_line_of(node, source, [&] {
    if (!is_section(name)) throw invalid_input("there is no section [{}]", name);
    if (table == nullptr) throw invalid_input("{} must be a section: [{}]", name, name);
  });
  for (const auto& [key, value] : *table) {
    const std::string full = fmt::format("{}.{}", name, key.str());
    at_line_of(value, source, [&, &node = value] { set(config, full, node); });
  }
}

}  // namespace

Config parse_config(std::string_view text, std::string_view source) {
  Config config;
  try {
    const toml::table root = toml::parse(text, source);
    for (const auto& [name, node] : root) read_section(config, name.str(), node, source);
  } catch (const toml::parse_error& error) {
    throw invalid_input("{}, line {}: {}", source, error.source().begin.line, error.description());
  }
  return config;
}

Config read_config(const std::filesystem::path& path) {
  const MappedFile file(path);
  const auto bytes = file.bytes();
  return parse_config({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path.string());
}

namespace {

/// A number from 0 to 65535.
bool is_port(std::string_view text) {
  unsigned short port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::vector<std::string> parse_addresses(std::string_view text) {
  std::vector<std::string> result;
  std::istringstream parts{std::string(text)};
  for (std::string part; std::getline(parts, part, ',');) {
    const auto first = part.find_first_not_of(' ');
    part = first == std::string::npos ? "" : part.substr(first, part.find_last_not_of(' ') - first + 1);
    const bool socket = part.starts_with("unix:") && part.size() > 5;
    const auto colon = part.rfind(':');
    const bool tcp = !part.starts_with("unix:") && colon != std::string::npos && colon > 0 && colon + 1 < part.size();
    if (!socket && !tcp) throw invalid_input("address '{}' is neither unix:///path nor host:port", part);
    if (tcp && !is_port(std::string_view(part).substr(colon + 1))) {
      throw invalid_input("address '{}': the port is not a number from 0 to 65535", part);
    }
    result.push_back(std::move(part));
  }
  if (result.empty()) throw invalid_input("no address to listen on; expected unix:///path or host:port");
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

}  // namespace cuzk::server
