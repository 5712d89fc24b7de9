#include "server/service_manager.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "base/error.h"
#include "base/log.h"
#include "base/types.h"

namespace cuzk::server {

namespace {

/// Sends a datagram to a path, or to a name of Linux's abstract namespace, which is written with an @.
bool send_to(std::string_view socket_name, std::string_view message) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket_name.size() >= sizeof(address.sun_path)) {
    errno = ENAMETOOLONG;
    return false;
  }
  socket_name.copy(address.sun_path, socket_name.size());
  if (address.sun_path[0] == '@') address.sun_path[0] = '\0';
  const int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return false;
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_name.size());
  const auto sent = sendto(descriptor, message.data(), message.size(), MSG_NOSIGNAL,
                           reinterpret_cast<const sockaddr*>(&address), length);
  const int error = errno;
  close(descriptor);
  errno = error;
  return sent == static_cast<ssize_t>(message.size());
}

}  // namespace

void notify_service_manager(std::string_view message) {
  const char* name = std::getenv("NOTIFY_SOCKET");
  if (name == nullptr || *name == '\0' || send_to(name, message)) return;
  logger(LogModule::server).warn("the service manager cannot be told '{}': {}", message, std::strerror(errno));
}

void notify_reloading() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  notify_service_manager(
      fmt::format("RELOADING=1\nMONOTONIC_USEC={}", i64{now.tv_sec} * 1'000'000 + i64{now.tv_nsec} / 1'000));
}

}  // namespace cuzk::server
