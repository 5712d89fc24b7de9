/// JSON string literals, for the few places that write JSON by hand (logs, traces).
#pragma once

#include <string>
#include <string_view>

namespace cuzk {

/// `text` in quotation marks with everything escaped that JSON demands. Bytes from 0x80 on pass through unchanged.
std::string json_quoted(std::string_view text);

}  // namespace cuzk
