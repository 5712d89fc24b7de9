/// The log: spdlog's functions (`spdlog::info("...", ...)`) write to it after one call here at the start of a program.
///
/// It goes to standard error, one line an event. No witness value, r, s or toxic waste is ever an argument.
#pragma once

#include <spdlog/formatter.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <string_view>

namespace cuzk {

enum class LogFormat {
  text,  ///< "2026-01-31 12:00:00.123 info  message", for people
  json,  ///< {"time":"2026-01-31T12:00:00.123Z","level":"info","message":"..."}, for machines
};

/// "trace", "debug", "info", "warn", "error" or "off"; throws Error{invalid_input} naming another word.
spdlog::level::level_enum log_level(std::string_view name);

/// "text" or "json"; throws Error{invalid_input} naming another word.
LogFormat log_format(std::string_view name);

/// What turns an event into a line of the format.
std::unique_ptr<spdlog::formatter> log_formatter(LogFormat format);

/// Sets the log of the process. May be called again.
void configure_log(spdlog::level::level_enum level, LogFormat format);

}  // namespace cuzk
