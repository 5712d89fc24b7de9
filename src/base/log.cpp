#include "base/log.h"

#include <fmt/chrono.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <chrono>

#include "base/error.h"
#include "base/json_text.h"

namespace cuzk {
namespace {

std::string_view view(spdlog::string_view_t text) { return {text.data(), text.size()}; }

class JsonFormatter : public spdlog::formatter {
 public:
  void format(const spdlog::details::log_msg& event, spdlog::memory_buf_t& line) override {
    const auto since_epoch = event.time.time_since_epoch();
    const auto millisecond = std::chrono::duration_cast<std::chrono::milliseconds>(since_epoch).count() % 1000;
    const std::time_t second = std::chrono::system_clock::to_time_t(event.time);
    fmt::format_to(std::back_inserter(line),
                   R"({{"time":"{:%Y-%m-%dT%H:%M:%S}.{:03}Z","level":"{}","message":{}}})"
                   "\n",
                   fmt::gmtime(second), millisecond, view(spdlog::level::to_string_view(event.level)),
                   json_quoted(view(event.payload)));
  }

  std::unique_ptr<spdlog::formatter> clone() const override { return std::make_unique<JsonFormatter>(); }
};

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
  throw invalid_input("log format: '{}', expected text or json", name);
}

std::unique_ptr<spdlog::formatter> log_formatter(LogFormat format) {
  if (format == LogFormat::json) return std::make_unique<JsonFormatter>();
  return std::make_unique<spdlog::pattern_formatter>("%Y-%m-%d %H:%M:%S.%e %-7l %v");
}

void configure_log(spdlog::level::level_enum level, LogFormat format) {
  auto logger = std::make_shared<spdlog::logger>("cuzk", std::make_shared<spdlog::sinks::stderr_sink_mt>());
  logger->set_level(level);
  logger->set_formatter(log_formatter(format));
  logger->flush_on(spdlog::level::info);
  spdlog::set_default_logger(std::move(logger));
}

}  // namespace cuzk
