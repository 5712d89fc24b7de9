#include "base/json_text.h"

#include <fmt/format.h>

#include <iterator>

namespace cuzk {

std::string json_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {  // DEL: the configuration's TOML does not take it
      fmt::format_to(std::back_inserter(quoted), "\\u{:04x}", static_cast<unsigned>(c));
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

}  // namespace cuzk
