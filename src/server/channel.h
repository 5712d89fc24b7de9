/// How a client reaches a daemon.
#pragma once

#include <grpcpp/channel.h>

#include <filesystem>
#include <memory>
#include <string>

namespace cuzk::server {

struct Connection {
  std::string address;                     ///< "unix:///path" or "host:port"
  std::filesystem::path ca;                ///< PEM: who may have signed the daemon's certificate; given: TLS
  std::filesystem::path certificate, key;  ///< PEM: what this client shows, where the daemon wants to see one
  std::filesystem::path token_file;        ///< its first token is sent with every call; given: TLS
};

/// Connects at its first call. Throws Error: not_found naming a file; invalid_input for an address that is none, one file
/// of two without the other, or TLS on a unix socket.
std::shared_ptr<grpc::Channel> open_channel(const Connection& connection);

}  // namespace cuzk::server
