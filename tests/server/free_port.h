/// A TCP port on which nobody listens.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>

namespace cuzk::test {

/// "127.0.0.1:PORT": the kernel chose the port, and gives it to nobody else for a while.
inline std::string free_address() {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof(name);
  ::bind(descriptor, reinterpret_cast<const sockaddr*>(&name), length);
  ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&name), &length);
  ::close(descriptor);
  return "127.0.0.1:" + std::to_string(ntohs(name.sin_port));
}

}  // namespace cuzk::test
