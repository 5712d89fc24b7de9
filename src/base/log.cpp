#include "base/log.h"

#include <fmt/chrono.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>

#include "base/error.h"
#include "base/json_text.h"
#include "base/types.h"

namespace cuzk {
namespace {

using spdlog::details::log_msg;

std::string_view view(spdlog::string_view_t text) { return {text.data(), text.size()}; }

/// Seconds and the milliseconds beyond them.
std::pair<std::time_t, i64> time_of(const log_msg& event) {
  const auto since_epoch = std::chrono::duration_cast<std::chrono::milliseconds>(event.time.time_since_epoch());
  return {spdlog::log_clock::to_time_t(event.time), since_epoch.count() % 1000};
}

class JsonFormatter : public spdlog::formatter {
 public:
  void format(const log_msg& event, spdlog::memory_buf_t& line) override {
    const auto [second, millisecond] = time_of(event);
    fmt::format_to(std::back_inserter(line),
                   R"({{"time":"{:%Y-%m-%dT%H:%M:%S}.{:03}Z","level":"{}","module":"{}","message":{}}})"
                   "\n",
                   fmt::gmtime(second), millisecond, view(spdlog::level::to_string_view(event.level)),
                   view(event.logger_name), json_quoted(view(event.payload)));
  }

  std::unique_ptr<spdlog::formatter> clone() const override { return std::make_unique<JsonFormatter>(); }
};

bool is_control(char character) { return static_cast<unsigned char>(character) < 0x20 || character == 0x7f; }

/// Control characters as "\x0a": what a client sends must not look like a line of the log.
void append_escaped(spdlog::memory_buf_t& line, std::string_view text) {
  for (const char character : text) {
    if (is_control(character)) {
      fmt::format_to(std::back_inserter(line), "\\x{:02x}", static_cast<unsigned char>(character));
    } else {
      line.push_back(character);
    }
  }
}

using Head = void (*)(const log_msg& event, spdlog::memory_buf_t& line);

/// What stands before the message for people.
void time_and_level(const log_msg& event, spdlog::memory_buf_t& line) {
  const auto [second, millisecond] = time_of(event);
  fmt::format_to(std::back_inserter(line), "{:%Y-%m-%d %H:%M:%S}.{:03} {:<7} ", fmt::localtime(second), millisecond,
                 view(spdlog::level::to_string_view(event.level)));
}

/// What stands before the message for systemd (sd-daemon(3)): the priorities of syslog.
void priority(const log_msg& event, spdlog::memory_buf_t& line) {
  constexpr std::array kPriorities{7, 7, 6, 4, 3, 2, 7};  // trace, debug, info, warn, err, critical, off
  fmt::format_to(std::back_inserter(line), "<{}>", kPriorities.at(static_cast<std::size_t>(event.level)));
}

class LineFormatter : public spdlog::formatter {
 public:
  explicit LineFormatter(Head head) : head_(head) {}

  void format(const log_msg& event, spdlog::memory_buf_t& line) override {
    head_(event, line);
    append_escaped(line, view(event.payload));
    line.push_back('\n');
  }

  std::unique_ptr<spdlog::formatter> clone() const override { return std::make_unique<LineFormatter>(head_); }

 private:
  Head head_;
};

constexpr std::array kModules{LogModule::engine, LogModule::keys, LogModule::cuda,
                              LogModule::server, LogModule::rpc,  LogModule::http};

/// The loggers of the process: made once, so that those who write to them need not know of changes.
struct Loggers {
  std::shared_ptr<spdlog::sinks::sink> sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  std::shared_ptr<spdlog::logger> all = make("cuzk");
  std::array<std::shared_ptr<spdlog::logger>, kModules.size()> modules;

  Loggers() {
    sink->set_formatter(log_formatter(LogFormat::text));
    for (const auto module : kModules) modules.at(static_cast<std::size_t>(module)) = make(std::string(name(module)));
  }

  std::shared_ptr<spdlog::logger> make(const std::string& name) const {
    auto logger = std::make_shared<spdlog::logger>(name, sink);
    logger->flush_on(spdlog::level::info);
    return logger;
  }
};

Loggers& loggers() {
  static auto* const all = new Loggers;  // never freed: threads may log until the process has gone
  return *all;
}

}  // namespace

spdlog::level::level_enum log_level(std::string_view name) {
  for (const auto level : {spdlog::level::trace, spdlog::level::debug, spdlog::level::info, spdlog::level::off})
    if (name == view(spdlog::level::to_string_view(level))) return level;
  if (name == "warn" || name == "warning") return spdlog::level::warn;
  if (name == "error") return spdlog::level::err;
  throw invalid_input("log level: '{}', expected trace, debug, info, warn, error or off", name);
}

LogFormat log_format(std::string_view name) {
  if (name == "text") return LogFormat::text;
  if (name == "json") return LogFormat::json;
  if (name == "journald") return LogFormat::journald;
  throw invalid_input("log format: '{}', expected text, json or journald", name);
}

std::string_view name(LogModule module) {
  switch (module) {
    case LogModule::engine: return "engine";
    case LogModule::keys: return "keys";
    case LogModule::cuda: return "cuda";
    case LogModule::server: return "server";
    case LogModule::rpc: return "rpc";
    case LogModule::http: return "http";
  }
  return "unknown";
}

LogModule log_module(std::string_view text) {
  std::string known;
  for (const auto module : kModules) {
    if (text == name(module)) return module;
    known += (known.empty() ? "" : ", ") + std::string(name(module));
  }
  throw invalid_input("log module: '{}', expected one of {}", text, known);
}

std::unique_ptr<spdlog::formatter> log_formatter(LogFormat format) {
  switch (format) {
    case LogFormat::json: return std::make_unique<JsonFormatter>();
    case LogFormat::journald: return std::make_unique<LineFormatter>(priority);
    default: return std::make_unique<LineFormatter>(time_and_level);
  }
}

spdlog::logger& logger(LogModule module) { return *loggers().modules.at(static_cast<std::size_t>(module)); }

void configure_log(const LogSettings& settings) {
  auto& all = loggers();
  all.sink->set_formatter(log_formatter(settings.format));
  all.all->set_level(settings.level);
  for (const auto module : kModules) {
    const auto own = settings.modules.find(module);
    logger(module).set_level(own == settings.modules.end() ? settings.level : own->second);
  }
  if (spdlog::default_logger_raw() != all.all.get()) spdlog::set_default_logger(all.all);
}

void configure_log(spdlog::level::level_enum level, LogFormat format) { configure_log(LogSettings{level, format, {}}); }

}  // namespace cuzk
