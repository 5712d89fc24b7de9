#include "base/error.h"

namespace cuzk {

std::string_view name(Code code) {
  switch (code) {
    case Code::invalid_input: return "invalid_input";
    case Code::not_found: return "not_found";
    case Code::resource_exhausted: return "resource_exhausted";
    case Code::cancelled: return "cancelled";
    case Code::deadline: return "deadline";
    case Code::device_lost: return "device_lost";
    case Code::unavailable: return "unavailable";
    case Code::internal: return "internal";
  }
  return "unknown";
}

}  // namespace cuzk
