/// A small HTTP server for dashboards, scrapers and probes: it answers GET, and nothing that is secret or changes
/// anything. Neither encrypted nor authenticated.
///
/// Bounded on purpose: two threads for each address, and one more for each stream that may be open; connections beyond a few wait in the kernel's backlog; a connection
/// that sends nothing for five seconds or asks for more than its share is closed.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/config.h"

namespace cuzk::server {

struct HttpAnswer {
  int status = 200;
  std::string type;  ///< such as "application/json"
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers = {};  ///< beside those of every answer
};

/// Called from several threads at once. What it throws becomes an answer with status 500 and the error's message.
struct HttpRoute {
  std::string path;  ///< a regular expression for the whole path, such as "/status.*"
  std::function<HttpAnswer(std::string_view path)> answer;

  /// Whether pages of other servers, such as dashboards, may read the answer in a browser.
  enum class Readers : u8 { all_pages, own_page } readers = Readers::all_pages;
};

/// What an answer that goes on is made of, piece by piece; used by one thread, that of its connection.
class HttpPieces {
 public:
  virtual ~HttpPieces() = default;

  /// Waits for the next piece; null: that was the last one.
  virtual std::shared_ptr<const std::string> next() = 0;
};

/// Answers that go on until their reader goes away: each keeps a thread. Not for pages of other servers.
struct HttpStream {
  std::string path;      ///< as that of a route
  std::string type;      ///< such as "text/event-stream"
  std::size_t most = 1;  ///< that are open at a time; who comes after them is answered with status 503
  std::function<std::unique_ptr<HttpPieces>()> open;  ///< called for each answer; null: 503
};

class HttpServer {
 public:
  /// Listens from here on. The routes are looked at in order; without one the answer is 404 and names them. Throws
  /// Error naming the address on which it cannot listen. `access`: of unix sockets.
  HttpServer(const std::vector<std::string>& addresses, const SocketAccess& access,
             const std::vector<HttpRoute>& routes, const std::vector<HttpStream>& streams = {});

  /// Closes the addresses and returns when the answers that are under way are out; those that go on end after the piece
  /// that they wait for.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

 private:
  class Listener;
  std::vector<std::unique_ptr<Listener>> listeners_;
};

}  // namespace cuzk::server
