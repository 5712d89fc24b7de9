#include "server/address.h"

#include <charconv>
#include <optional>
#include <sstream>

#include "base/error.h"

namespace cuzk::server {

namespace {

std::optional<u16> parse_port(std::string_view text) {
  u16 port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return port;
}

std::string_view trim_spaces(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::string_view port_text(std::string_view address) { return address.substr(address.rfind(':') + 1); }

void check_address(std::string_view address) {
  const bool socket = is_unix(address) && !socket_path(address).empty();
  const auto colon = address.rfind(':');
  const bool tcp = !is_unix(address) && colon != std::string_view::npos && colon > 0 && colon + 1 < address.size();
  if (!socket && !tcp) throw invalid_input("address '{}' is neither unix:///path nor host:port", address);
  if (tcp && !parse_port(port_text(address))) {
    throw invalid_input("address '{}': the port is not a number from 0 to 65535", address);
  }
}

}  // namespace

std::vector<std::string> parse_addresses(std::string_view text) {
  std::vector<std::string> result;
  std::istringstream parts{std::string(text)};
  for (std::string part; std::getline(parts, part, ',');) {
    const auto address = trim_spaces(part);
    check_address(address);
    result.emplace_back(address);
  }
  if (result.empty()) throw invalid_input("no address to listen on; expected unix:///path or host:port");
  return result;
}

bool is_unix(std::string_view address) { return address.starts_with("unix:"); }

std::string socket_path(std::string_view address) {
  const std::string_view rest = address.substr(5);
  return std::string(rest.starts_with("//") ? rest.substr(2) : rest);
}

HostPort host_and_port(std::string_view address) {
  std::string_view host = address.substr(0, address.rfind(':'));
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return {std::string(host), parse_port(port_text(address)).value_or(0)};
}

bool is_local(std::string_view address) {
  if (is_unix(address)) return true;
  const auto host = host_and_port(address).host;
  return host == "localhost" || host == "::1" || host.starts_with("127.");
}

}  // namespace cuzk::server
