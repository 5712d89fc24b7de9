/// Scalars as text: 32 bytes, little-endian, canonical, in hexadecimal digits.
#pragma once

#include <string>
#include <string_view>

#include "field/fr.h"

namespace cuzk::apps {

/// Throws Error{invalid_input} that begins with `name`; it never holds the text, which may be a secret.
Fr parse_scalar(std::string_view text, const std::string& name);

}  // namespace cuzk::apps
