/// How a client reaches a daemon.
#pragma once

#include <grpcpp/channel.h>

#include <filesystem>
#include <memory>
#include <string>

#include "base/types.h"

namespace cuzk::server {

struct Connection {
  std::string address;                     ///< "unix:///path" or "host:port"
  std::filesystem::path ca;                ///< PEM: who may have signed the daemon's certificate; given: TLS
  std::filesystem::path certificate, key;  ///< PEM: what this client shows, where the daemon wants to see one
  std::filesystem::path token_file;        ///< its first token is sent with every call; given: TLS
};

/// Whether channels of one process to the same address may share a connection.
enum class Sharing : u8 { shared, own };

/// Connects at its first call. Throws Error: not_found naming a file; invalid_input for an address that is none, one file
/// of two without the other, or TLS on a unix socket.
std::shared_ptr<grpc::Channel> open_channel(const Connection& connection, Sharing sharing = Sharing::shared);

}  // namespace cuzk::server
