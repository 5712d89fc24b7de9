/// The addresses of gRPC: who may connect to them, and how connections are kept.
///
/// A unix socket is plain; its mode and owner say who may connect. A TCP address has TLS, and its clients show a
/// certificate, a token or both; `daemon.insecure` permits what is missing.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "engine/statement.h"
#include "server/bearer_tokens.h"
#include "server/config.h"

namespace grpc {
class Server;
class Service;
}  // namespace grpc

namespace cuzk::server {

class InheritedSocket;
class SocketAcceptor;

/// Throws Error{invalid_input} where a TCP address would go without TLS or authentication, or HTTP be reached from
/// outside, and the configuration does not say that it may: names the address and what to set. Also what
/// check_tls_files throws.
void check_access(const Config& config);

class Listeners {
 public:
  /// Listens from here on, at the addresses of the configuration and at `inherited`, where there is one: it outlives this.
  /// Throws Error naming the address and the reason; what check_access throws.
  Listeners(const Config& config, grpc::Service& service, const InheritedSocket* inherited = nullptr);
  ~Listeners();
  Listeners(const Listeners&) = delete;
  Listeners& operator=(const Listeners&) = delete;

  /// Where clients reach it; a port that was chosen (port 0) is the real one.
  const std::vector<std::string>& addresses() const { return addresses_; }

  /// What health checks answer: for all, for the service and for each kind by its name, such as "window-post".
  enum class Health { serving, not_serving };
  void set_health(Health health, const engine::StatementDecoder& decoder);

  /// Reads the tokens again, and looks whether the files of TLS are right: they are taken within the reload interval.
  /// Throws Error naming the file; then what was read before stays in force.
  void reload();

  /// Refuses new calls and returns when the others have ended, or the time is over.
  void stop(std::chrono::milliseconds patience);

 private:
  TlsFiles tls_;
  std::shared_ptr<BearerTokens> tokens_;  // null: none are asked for
  std::vector<std::string> addresses_;
  std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<SocketAcceptor> acceptor_;  // null: there is no inherited socket
};

}  // namespace cuzk::server
