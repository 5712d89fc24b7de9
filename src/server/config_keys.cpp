#include "server/config_keys.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <climits>
#include <iterator>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "base/json_text.h"
#include "engine/statements/circuit_catalog.h"

namespace cuzk::server {

namespace {

using Change = ConfigKey::Change;
using Value = ConfigValue;

/// Addresses as the file holds them: one string.
std::string addresses_text(const std::vector<std::string>& addresses) {
  return json_quoted(fmt::format("{}", fmt::join(addresses, ", ")));
}

std::string list_text(const std::vector<std::string>& texts) {
  std::vector<std::string> items;
  items.reserve(texts.size());
  for (const auto& text : texts) items.push_back(json_quoted(text));
  return fmt::format("[{}]", fmt::join(items, ", "));
}

std::string flag_text(bool flag) { return flag ? "true" : "false"; }

std::string level_text(spdlog::level::level_enum level) {
  const auto name = spdlog::level::to_string_view(level);
  return json_quoted(level == spdlog::level::warn ? "warn" : std::string(name.data(), name.size()));
}

std::string format_text(LogFormat format) {
  switch (format) {
    case LogFormat::json: return json_quoted("json");
    case LogFormat::journald: return json_quoted("journald");
    default: return json_quoted("text");
  }
}

std::string modules_text(const LogSettings& log) {
  std::vector<std::string> items;
  for (const auto& [module, level] : log.modules)
    items.push_back(fmt::format("{} = {}", name(module), level_text(level)));
  return items.empty() ? "{}" : fmt::format("{{ {} }}", fmt::join(items, ", "));
}

void set_modules(Config& config, const Value& value) {
  config.log.modules.clear();
  for (const auto& [module, level] : value.table()) config.log.modules[log_module(module)] = log_level(level);
}

void set_mode(Config& config, const Value& value) {
  const std::string text = value.text();
  unsigned mode = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), mode, 8);
  if (error != std::errc{} || end != text.data() + text.size() || mode > 0777) {
    throw invalid_input("daemon.socket_mode is '{}', expected an octal number up to 0777, such as \"0660\"", text);
  }
  config.socket.mode = mode;
}

void set_message_size(Config& config, const Value& value) {
  const u64 size = value.size();
  if (size < 1 << 20 || size > INT_MAX) {
    throw invalid_input("daemon.max_message_size is {}, expected 1MiB to {}", size, INT_MAX);
  }
  config.transport.max_message_bytes = size;
}

/// gRPC takes seconds: a shorter time would be none.
void set_reload_interval(Config& config, const Value& value) {
  config.tls.reload_interval = value.duration();
  if (config.tls.reload_interval < std::chrono::seconds(1)) throw invalid_input("tls.reload_interval is below 1s");
}

void set_threads(Config& config, const Value& value) {
  const u64 threads = value.number();
  if (threads > 4096) throw invalid_input("synthesis.threads is {}, expected at most 4096", threads);
  config.threads = static_cast<unsigned>(threads);
}

/// A size, or nothing for "auto".
std::optional<u64> size_or_auto(const Value& value) {
  return value.is_text("auto") ? std::nullopt : std::optional(value.size());
}

std::string size_or_auto_text(std::optional<u64> size) { return json_quoted(size ? size_text(*size) : "auto"); }

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

/// "cuda:1", or its number alone as existing files have it.
std::string device_name(const std::string& word) {
  std::string name = !word.empty() && std::isdigit(static_cast<unsigned char>(word[0])) ? "cuda:" + word : word;
  const auto digits = name.starts_with("cuda:") ? name.substr(5) : "";
  const bool is_number = !digits.empty() && digits.size() < 4 && std::all_of(digits.begin(), digits.end(), [](char c) {
    return std::isdigit(static_cast<unsigned char>(c));
  });
  if (name == "cpu" || is_number) return name;
  throw invalid_input("gpus.devices: there is no device '{}', expected cpu, auto, or GPUs such as cuda:0", word);
}

void set_devices(Config& config, const Value& value) {
  std::vector<std::string> devices;
  const auto words = value.words();
  if (words != std::vector<std::string>{"auto"})
    std::transform(words.begin(), words.end(), std::back_inserter(devices), device_name);
  for (const auto& device : devices) {
    if (std::count(devices.begin(), devices.end(), device) > 1)
      throw invalid_input("gpus.devices: {} is named twice", device);
    if (device == "cpu" && devices.size() > 1)
      throw invalid_input("gpus.devices: the processor proves alone, or when all GPUs are lost, not beside them");
  }
  config.devices = std::move(devices);
}

std::vector<ConfigKey> listener_keys() {
  return {
      {"daemon.listen", [](Config& c, const Value& v) { c.listen = parse_addresses(v.text()); },
       [](const Config& c) { return addresses_text(c.listen); }},
      {"daemon.status_listen",
       [](Config& c, const Value& v) {
         c.status_listen = v.text().empty() ? std::vector<std::string>{} : parse_addresses(v.text());
       },
       [](const Config& c) { return addresses_text(c.status_listen); }},
      {"daemon.status_public", [](Config& c, const Value& v) { c.status_public = v.flag(); },
       [](const Config& c) { return flag_text(c.status_public); }},
      {"daemon.insecure", [](Config& c, const Value& v) { c.insecure = v.flag(); },
       [](const Config& c) { return flag_text(c.insecure); }},
      {"daemon.socket_mode", set_mode,
       [](const Config& c) { return json_quoted(fmt::format("{:04o}", c.socket.mode)); }},
      {"daemon.socket_owner", [](Config& c, const Value& v) { c.socket.owner = v.text(); },
       [](const Config& c) { return json_quoted(c.socket.owner); }},
      {"daemon.socket_group", [](Config& c, const Value& v) { c.socket.group = v.text(); },
       [](const Config& c) { return json_quoted(c.socket.group); }},
      {"daemon.max_message_size", set_message_size,
       [](const Config& c) { return json_quoted(size_text(c.transport.max_message_bytes)); }},
      {"daemon.keepalive_time", [](Config& c, const Value& v) { c.transport.keepalive_time = v.duration(); },
       [](const Config& c) { return json_quoted(duration_text(c.transport.keepalive_time)); }},
      {"daemon.keepalive_timeout", [](Config& c, const Value& v) { c.transport.keepalive_timeout = v.duration(); },
       [](const Config& c) { return json_quoted(duration_text(c.transport.keepalive_timeout)); }},
  };
}

std::vector<ConfigKey> tls_keys() {
  return {
      {"tls.certificate", [](Config& c, const Value& v) { c.tls.certificate = v.text(); },
       [](const Config& c) { return json_quoted(c.tls.certificate.string()); }},
      {"tls.key", [](Config& c, const Value& v) { c.tls.key = v.text(); },
       [](const Config& c) { return json_quoted(c.tls.key.string()); }},
      {"tls.client_ca", [](Config& c, const Value& v) { c.tls.client_ca = v.text(); },
       [](const Config& c) { return json_quoted(c.tls.client_ca.string()); }},
      {"tls.client_crls", [](Config& c, const Value& v) { c.tls.client_crls = v.text(); },
       [](const Config& c) { return json_quoted(c.tls.client_crls.string()); }},
      {"tls.token_file", [](Config& c, const Value& v) { c.tls.token_file = v.text(); },
       [](const Config& c) { return json_quoted(c.tls.token_file.string()); }},
      {"tls.reload_interval", set_reload_interval,
       [](const Config& c) { return json_quoted(duration_text(c.tls.reload_interval)); }},
  };
}

std::vector<ConfigKey> proving_keys() {
  return {
      {"srs.param_cache", [](Config& c, const Value& v) { c.param_cache = v.text(); },
       [](const Config& c) { return json_quoted(c.param_cache.string()); }},
      {"srs.digests", [](Config& c, const Value& v) { c.digests = keys::digest_memory(v.text()); },
       [](const Config& c) { return json_quoted(c.digests.text()); }},
      {"srs.warm_budget", [](Config& c, const Value& v) { c.warm_budget = size_or_auto(v); },
       [](const Config& c) { return size_or_auto_text(c.warm_budget); }},
      {"srs.preload", set_preload, [](const Config& c) { return list_text(c.preload); }},
      {"gpus.devices", set_devices, [](const Config& c) { return list_text(c.devices); }},
      {"gpus.memory", [](Config& c, const Value& v) { c.gpu_memory = size_or_auto(v); },
       [](const Config& c) { return size_or_auto_text(c.gpu_memory); }},
      {"circuits.cache", [](Config& c, const Value& v) { c.circuits = engine::circuit_cache(v.text()); },
       [](const Config& c) { return json_quoted(c.circuits.text()); }},
      {"synthesis.threads", set_threads, [](const Config& c) { return std::to_string(c.threads); }},
  };
}

std::vector<ConfigKey> job_keys() {
  return {
      {"jobs.max_queued", [](Config& c, const Value& v) { c.engine.max_queued = v.number(); },
       [](const Config& c) { return std::to_string(c.engine.max_queued); }, Change::at_reload},
      {"jobs.max_queued_size", [](Config& c, const Value& v) { c.engine.max_queued_bytes = v.size(); },
       [](const Config& c) { return json_quoted(size_text(c.engine.max_queued_bytes)); }, Change::at_reload},
      {"jobs.journal", [](Config& c, const Value& v) { c.journal = v.text(); },
       [](const Config& c) { return json_quoted(c.journal.string()); }},
      {"jobs.keep_count", [](Config& c, const Value& v) { c.engine.retention.jobs = v.number(); },
       [](const Config& c) { return std::to_string(c.engine.retention.jobs); }, Change::at_reload},
      {"jobs.keep_size", [](Config& c, const Value& v) { c.engine.retention.bytes = v.size(); },
       [](const Config& c) { return json_quoted(size_text(c.engine.retention.bytes)); }, Change::at_reload},
      {"jobs.keep_time",
       [](Config& c, const Value& v) {
         c.engine.retention.age = std::chrono::duration_cast<std::chrono::seconds>(v.duration());
       },
       [](const Config& c) { return json_quoted(duration_text(c.engine.retention.age)); }, Change::at_reload},
      {"jobs.keep_traces", [](Config& c, const Value& v) { c.engine.keep_traces = v.number(); },
       [](const Config& c) { return std::to_string(c.engine.keep_traces); }, Change::at_reload},
  };
}

void set_batch_size(Config& config, const Value& value) {
  const u64 size = value.number();
  if (size < 1 || size > 1024) throw invalid_input("scheduler.max_batch_size is {}, expected 1 to 1024", size);
  config.engine.policy.max_batch_size = static_cast<u32>(size);
}

void set_batch_wait(Config& config, const Value& value) {
  constexpr u64 kDay = u64{24} * 60 * 60 * 1000;
  const u64 wait = value.number();
  if (wait > kDay) throw invalid_input("scheduler.max_batch_wait_ms is {}, expected at most {}", wait, kDay);
  config.engine.policy.max_batch_wait = std::chrono::milliseconds(wait);
}

std::vector<ConfigKey> scheduler_keys() {
  using engine::KeyOrder;
  return {
      {"memory.total_budget", [](Config& c, const Value& v) { c.memory_budget = size_or_auto(v); },
       [](const Config& c) { return size_or_auto_text(c.memory_budget); }},
      {"memory.safety_margin", [](Config& c, const Value& v) { c.memory_margin = v.size(); },
       [](const Config& c) { return json_quoted(size_text(c.memory_margin)); }},
      {"memory.keep_pages", [](Config& c, const Value& v) { c.keep_pages = v.size(); },
       [](const Config& c) { return json_quoted(size_text(c.keep_pages)); }},
      {"memory.keep_pages_idle", [](Config& c, const Value& v) { c.engine.idle_after = v.duration(); },
       [](const Config& c) {
         return json_quoted(duration_text(std::chrono::duration_cast<std::chrono::milliseconds>(c.engine.idle_after)));
       }},
      {"scheduler.max_batch_size", set_batch_size,
       [](const Config& c) { return std::to_string(c.engine.policy.max_batch_size); }},
      {"scheduler.max_batch_wait_ms", set_batch_wait,
       [](const Config& c) {
         const auto wait = std::chrono::duration_cast<std::chrono::milliseconds>(c.engine.policy.max_batch_wait);
         return std::to_string(wait.count());
       }},
      {"scheduler.sort_by_type",
       [](Config& c, const Value& v) { c.engine.policy.key_order = v.flag() ? KeyOrder::by_type : KeyOrder::by_rank; },
       [](const Config& c) { return flag_text(c.engine.policy.key_order == KeyOrder::by_type); }},
  };
}

/// A number of the farm, up to 1000.
ConfigKey farm_number(const std::string& name, u32 farm::FarmOptions::*number, u32 least) {
  return {name,
          [name, number, least](Config& c, const Value& v) {
            const u64 value = v.number();
            if (value < least || value > 1000) throw invalid_input("{} is {}, expected {} to 1000", name, value, least);
            c.farm.*number = static_cast<u32>(value);
          },
          [number](const Config& c) { return std::to_string(c.farm.*number); }};
}

using FarmTime = farm::FarmOptions::Time;

/// A time of the farm, with what it has to be at least.
ConfigKey farm_time(const std::string& name, FarmTime farm::FarmOptions::*time, FarmTime least) {
  return {name,
          [name, time, least](Config& c, const Value& v) {
            c.farm.*time = v.duration();
            if (c.farm.*time < least) throw invalid_input("{} is below {}", name, duration_text(least));
          },
          [time](const Config& c) { return json_quoted(duration_text(c.farm.*time)); }};
}

std::vector<ConfigKey> farm_keys() {
  using farm::FarmOptions;
  using namespace std::chrono_literals;
  return {
      {"farm.postgres", [](Config& c, const Value& v) { c.farm.postgres = v.text(); },
       [](const Config& c) { return json_quoted(farm::without_password(c.farm.postgres)); }},
      {"farm.name", [](Config& c, const Value& v) { c.farm.name = v.text(); },
       [](const Config& c) { return json_quoted(c.farm.name); }},
      {"farm.objects", [](Config& c, const Value& v) { c.farm.objects = v.text(); },
       [](const Config& c) { return json_quoted(c.farm.objects.string()); }},
      {"farm.inline_input", [](Config& c, const Value& v) { c.farm.inline_input = v.size(); },
       [](const Config& c) { return json_quoted(size_text(c.farm.inline_input)); }},
      {"farm.max_input", [](Config& c, const Value& v) { c.farm.max_input = v.size(); },
       [](const Config& c) { return json_quoted(size_text(c.farm.max_input)); }},
      farm_number("farm.jobs_at_once", &FarmOptions::jobs_at_once, 0),
      farm_number("farm.machines_a_job", &FarmOptions::machines_a_job, 1),
      farm_time("farm.lease", &FarmOptions::lease, 1s),
      farm_time("farm.heartbeat", &FarmOptions::heartbeat, 100ms),
      farm_time("farm.poll", &FarmOptions::poll, 50ms),
      farm_time("farm.key_grace", &FarmOptions::key_grace, 0ms),
      farm_number("farm.max_attempts", &FarmOptions::max_attempts, 1),
      farm_time("farm.keep_results", &FarmOptions::keep_results, 0ms),
      farm_time("farm.keep_unfetched", &FarmOptions::keep_unfetched, 0ms),
      farm_time("farm.keep_inputs", &FarmOptions::keep_inputs, 1min),
  };
}

std::vector<ConfigKey> log_keys() {
  return {
      {"logging.level", [](Config& c, const Value& v) { c.log.level = log_level(v.text()); },
       [](const Config& c) { return level_text(c.log.level); }, Change::at_reload},
      {"logging.format", [](Config& c, const Value& v) { c.log.format = log_format(v.text()); },
       [](const Config& c) { return format_text(c.log.format); }, Change::at_reload},
      {"logging.modules", set_modules, [](const Config& c) { return modules_text(c.log); }, Change::at_reload},
  };
}

/// Keys of existing files that have no effect here; their types are checked all the same.
std::vector<ConfigKey> keys_without_effect() {
  const auto number = [](Config&, const Value& v) { v.number(); };
  const auto flag = [](Config&, const Value& v) { v.flag(); };
  const auto time = [](Config&, const Value& v) { v.duration(); };
  return {
      {"memory.eviction_min_idle", time, {}},          {"gpus.gpu_threads", number, {}},
      {"gpus.gpu_workers_per_device", number, {}},     {"pipeline.enabled", flag, {}},
      {"pipeline.synthesis_lookahead", number, {}},    {"pipeline.synthesis_concurrency", number, {}},
      {"pipeline.max_parallel_synthesis", number, {}}, {"pipeline.max_gpu_queue_depth", number, {}},
  };
}

/// How many letters have to be changed, added or taken away (Levenshtein).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t corner = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = corner + (a[i] == b[j] ? 0 : 1);
      corner = std::exchange(row[j + 1], std::min({changed, row[j] + 1, row[j + 1] + 1}));
    }
  }
  return row.back();
}

std::string hint(std::string_view name, const std::vector<std::string>& known) {
  const auto nearest = std::min_element(
      known.begin(), known.end(), [&](const auto& a, const auto& b) { return distance(name, a) < distance(name, b); });
  const bool is_near = nearest != known.end() && distance(name, *nearest) <= 1 + name.size() / 4;
  return is_near ? fmt::format(", did you mean {}?", *nearest) : "";
}

std::string section_of(std::string_view key) { return std::string(key.substr(0, key.find('.'))); }

}  // namespace

const std::vector<ConfigKey>& config_keys() {
  static const std::vector<ConfigKey> all = [] {
    std::vector<ConfigKey> keys;
    for (auto& group : {listener_keys(), tls_keys(), proving_keys(), job_keys(), farm_keys(), scheduler_keys(),
                        log_keys(), keys_without_effect()})
      keys.insert(keys.end(), group.begin(), group.end());
    return keys;
  }();
  return all;
}

const ConfigKey* find_key(std::string_view name) {
  const auto& keys = config_keys();
  const auto found = std::find_if(keys.begin(), keys.end(), [&](const auto& key) { return key.name == name; });
  return found == keys.end() ? nullptr : &*found;
}

bool is_section(std::string_view name) {
  const auto& keys = config_keys();
  return std::any_of(keys.begin(), keys.end(), [&](const auto& key) { return section_of(key.name) == name; });
}

std::string key_hint(std::string_view name) {
  std::vector<std::string> names;
  for (const auto& key : config_keys()) names.push_back(key.name);
  return hint(name, names);
}

std::string section_hint(std::string_view name) {
  std::vector<std::string> names;
  for (const auto& key : config_keys()) names.push_back(section_of(key.name));
  return hint(name, names);
}

std::vector<const ConfigKey*> differences(const Config& a, const Config& b) {
  std::vector<const ConfigKey*> result;
  for (const auto& key : config_keys())
    if (key.show && key.show(a) != key.show(b)) result.push_back(&key);
  return result;
}

}  // namespace cuzk::server
