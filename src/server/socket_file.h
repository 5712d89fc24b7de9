/// The file of a unix socket: who may connect.
#pragma once

#include <sys/stat.h>

#include <string>

#include "server/config.h"

namespace cuzk::server {

/// Throws Error where nothing can listen at a unix address: not_found for a missing folder, unavailable where another
/// process listens, invalid_input for a path that is too long, or for an owner or group that does not exist.
void check_socket(const std::string& address, const SocketAccess& access);

/// While it lives, the sockets that the process makes can be reached by their owner alone. It sets the process's umask:
/// make it where no other thread makes files.
class PrivateSockets {
 public:
  PrivateSockets() : before_(umask(0177)) {}
  ~PrivateSockets() { umask(before_); }
  PrivateSockets(const PrivateSockets&) = delete;
  PrivateSockets& operator=(const PrivateSockets&) = delete;

 private:
  mode_t before_;
};

/// Gives a socket that exists its owner, then its mode: at no moment may more people connect than in the end. Throws
/// Error naming what is not allowed.
void open_socket(const std::string& address, const SocketAccess& access);

}  // namespace cuzk::server
