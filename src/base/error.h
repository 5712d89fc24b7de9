/// The one error type. It is thrown where a fault is found and caught at three edges only: a job, an RPC, the C interface.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace cuzk {

/// What kind of fault: callers decide by it, people read the message.
enum class Code {
  invalid_input,       ///< the caller's data is wrong; the same call fails again
  not_found,           ///< a file, job or circuit that does not exist
  resource_exhausted,  ///< memory, queue or disk is full; may work later
  cancelled,           ///< the caller gave up
  deadline,            ///< the time is over
  device_lost,         ///< a device does not answer any more
  unavailable,         ///< not possible in this state or build (draining, not offered)
  internal,            ///< a fault of ours
};

/// Stable lower-case name, such as "invalid_input".
std::string_view name(Code code);

/// The message names the thing (file, field, index, partition), what was found and what was expected. It never holds a
/// witness value, r or s.
class Error : public std::runtime_error {
 public:
  Error(Code code, const std::string& message) : std::runtime_error(message), code_(code) {}

  Code code() const { return code_; }

 private:
  Code code_;
};

/// Shorthand: `throw invalid_input("{}: {} bytes, expected {}", path, found, expected)`.
template <class... Args>
Error invalid_input(fmt::format_string<Args...> format, Args&&... args) {
  return Error(Code::invalid_input, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
Error internal_error(fmt::format_string<Args...> format, Args&&... args) {
  return Error(Code::internal, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace cuzk
