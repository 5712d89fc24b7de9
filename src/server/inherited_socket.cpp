#include "server/inherited_socket.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "base/error.h"

namespace cuzk::server {

namespace {

int option_of(int descriptor, int option) {
  int value = 0;
  socklen_t length = sizeof(value);
  if (::getsockopt(descriptor, SOL_SOCKET, option, &value, &length) == 0) return value;
  throw invalid_input("descriptor {} is no socket: {}", descriptor, std::strerror(errno));
}

std::string unix_address(const sockaddr_un& name, std::size_t length) {
  std::string path(name.sun_path, length - offsetof(sockaddr_un, sun_path));
  if (path.empty()) return "unix://";
  if (path.front() == '\0') return "unix://@" + path.substr(1);
  return "unix://" + path.substr(0, path.find('\0'));
}

std::string tcp_address(int family, const sockaddr_storage& name) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (family == AF_INET) {
    sockaddr_in address{};
    std::memcpy(&address, &name, sizeof(address));
    ::inet_ntop(family, &address.sin_addr, text.data(), text.size());
    return fmt::format("{}:{}", text.data(), ntohs(address.sin_port));
  }
  sockaddr_in6 address{};
  std::memcpy(&address, &name, sizeof(address));
  ::inet_ntop(family, &address.sin6_addr, text.data(), text.size());
  return fmt::format("[{}]:{}", text.data(), ntohs(address.sin6_port));
}

/// Throws where nothing can be accepted from it.
std::string address_of(int descriptor) {
  if (option_of(descriptor, SO_TYPE) != SOCK_STREAM || option_of(descriptor, SO_ACCEPTCONN) == 0)
    throw invalid_input("descriptor {} is a socket that does not listen for connections", descriptor);
  sockaddr_storage name{};
  socklen_t length = sizeof(name);
  ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&name), &length);
  if (name.ss_family == AF_INET || name.ss_family == AF_INET6) return tcp_address(name.ss_family, name);
  if (name.ss_family != AF_UNIX) throw invalid_input("descriptor {} is neither a unix nor a TCP socket", descriptor);
  sockaddr_un address{};
  std::memcpy(&address, &name, sizeof(address));
  return unix_address(address, length);
}

}  // namespace

InheritedSocket::InheritedSocket(int descriptor) : descriptor_(descriptor), address_(address_of(descriptor)) {
  ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

InheritedSocket::~InheritedSocket() { ::close(descriptor_); }

}  // namespace cuzk::server
