/// The log: spdlog's functions (`spdlog::info("...", ...)`) write to it after one call here at the start of a program;
/// what belongs to a module, whose level can be another, is written by `logger(LogModule::engine).info("...", ...)`.
///
/// It goes to standard error, one line an event: characters that would end a line are escaped. No witness value, r, s or
/// toxic waste is ever an argument.
#pragma once

#include <spdlog/formatter.h>
#include <spdlog/spdlog.h>

#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace cuzk {

enum class LogFormat {
  text,      ///< "2026-01-31 12:00:00.123 info  message", for people
  json,      ///< {"time":"2026-01-31T12:00:00.123Z","level":"info","module":"engine","message":"..."}, for machines
  journald,  ///< "<6>message": systemd's journal takes the priority in front and knows the time itself
};

/// Parts of the program whose levels can be set one by one.
enum class LogModule { engine, keys, cuda, server, rpc, http };

struct LogSettings {
  spdlog::level::level_enum level = spdlog::level::info;
  LogFormat format = LogFormat::text;
  std::map<LogModule, spdlog::level::level_enum> modules;  ///< those that have another level
};

/// "trace", "debug", "info", "warn", "error" or "off"; throws Error{invalid_input} naming another word.
spdlog::level::level_enum log_level(std::string_view name);

/// "text", "json" or "journald"; throws Error{invalid_input} naming another word.
LogFormat log_format(std::string_view name);

/// "engine", "keys", "cuda", "server", "rpc", "http"; throws Error{invalid_input} naming another word.
LogModule log_module(std::string_view name);
std::string_view name(LogModule module);

/// What turns an event into a line of the format.
std::unique_ptr<spdlog::formatter> log_formatter(LogFormat format);

/// The log of one module. It lives as long as the process.
spdlog::logger& logger(LogModule module);

/// Sets the log of the process. May be called again while other threads write to it.
void configure_log(const LogSettings& settings);
void configure_log(spdlog::level::level_enum level, LogFormat format);

}  // namespace cuzk
