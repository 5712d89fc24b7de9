/// What both ends of the wire hold to.
#pragma once

namespace cuzk::server {

/// Largest message in either direction: existing clients have the same limit.
inline constexpr int kMaxMessageBytes = 256 << 20;

}  // namespace cuzk::server
