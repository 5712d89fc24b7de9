/// Takes connections from a socket that gRPC did not open and hands them to it.
#pragma once

#include <grpcpp/server_builder.h>

#include <memory>
#include <stop_token>
#include <thread>

#include "server/inherited_socket.h"

namespace cuzk::server {

class SocketAcceptor {
 public:
  /// Accepts from here on, in a thread of its own. The server that `connections` belongs to has started. The socket must
  /// outlive it.
  SocketAcceptor(const InheritedSocket& socket,
                 std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> connections);

  /// Accepts no more; the server must be there still.
  ~SocketAcceptor();
  SocketAcceptor(const SocketAcceptor&) = delete;
  SocketAcceptor& operator=(const SocketAcceptor&) = delete;

 private:
  void accept_until(const std::stop_token& stop);
  void accept_one();

  const InheritedSocket& socket_;
  const std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> connections_;
  const int end_;        // an eventfd that wakes the thread
  std::jthread thread_;  // last: it uses the others
};

}  // namespace cuzk::server
