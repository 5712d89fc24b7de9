/// Where a server listens: "unix:///path" or "host:port".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"

namespace cuzk::server {

/// "unix:///path" or "host:port", several with commas. Throws Error{invalid_input} naming the one that is neither.
std::vector<std::string> parse_addresses(std::string_view text);

bool is_unix(std::string_view address);

/// The file of a unix address.
std::string socket_path(std::string_view address);

/// The two parts of a TCP address, the host without brackets.
struct HostPort {
  std::string host;
  u16 port;
};
HostPort host_and_port(std::string_view address);

/// Whether only programs of this machine can reach it: a socket, 127.0.0.0/8, ::1 or localhost.
bool is_local(std::string_view address);

}  // namespace cuzk::server
