/// A small HTTP server for dashboards, scrapers and probes: it answers GET, and nothing that is secret or changes
/// anything. Neither encrypted nor authenticated.
///
/// Bounded on purpose: two threads for each address; connections beyond a few wait in the kernel's backlog; a connection
/// that sends nothing for five seconds or asks for more than its share is closed.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "server/config.h"

namespace cuzk::server {

struct HttpAnswer {
  int status = 200;
  std::string type;  ///< such as "application/json"
  std::string body;
};

/// Called from several threads at once. What it throws becomes an answer with status 500 and the error's message.
struct HttpRoute {
  std::string path;  ///< a regular expression for the whole path, such as "/status.*"
  std::function<HttpAnswer(std::string_view path)> answer;
};

class HttpServer {
 public:
  /// Listens from here on. The routes are looked at in order; without one the answer is 404 and names them. Throws
  /// Error naming the address on which it cannot listen. `access`: of unix sockets.
  HttpServer(const std::vector<std::string>& addresses, const SocketAccess& access,
             const std::vector<HttpRoute>& routes);

  /// Closes the addresses and returns when the answers that are under way are out.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

 private:
  class Listener;
  std::vector<std::unique_ptr<Listener>> listeners_;
};

}  // namespace cuzk::server
