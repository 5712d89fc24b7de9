#include "server/http_server.h"

#include <httplib.h>
#include <sys/socket.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <mutex>
#include <thread>

#include "base/error.h"
#include "base/failpoint.h"
#include "base/log.h"
#include "server/address.h"
#include "server/socket_file.h"

namespace cuzk::server {

namespace {

constexpr std::size_t kThreads = 2;         // for each address, beside those of streams
constexpr std::size_t kWaiting = 8;         // accepted connections that have no thread yet
constexpr std::size_t kRequests = 100;      // on one connection, so that nobody keeps a thread
constexpr std::size_t kLargestBody = 1024;  // a GET has none
constexpr time_t kPatience = 5;             // seconds without a byte

/// Threads for connections. Who adds one while too many wait is held up, so that the others stay in the kernel's
/// backlog, which is bounded; the library's own pool takes any number.
class BoundedQueue : public httplib::TaskQueue {
 public:
  explicit BoundedQueue(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) threads_.emplace_back([this] { work(); });
  }

  using Enqueued = decltype(std::declval<httplib::TaskQueue&>().enqueue(std::function<void()>()));  // by version

  Enqueued enqueue(std::function<void()> task) override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return tasks_.size() < kWaiting; });
    tasks_.push_back(std::move(task));
    changed_.notify_all();
    return Enqueued(true);
  }

  void shutdown() override {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    changed_.notify_all();
    for (auto& thread : threads_) thread.join();
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return ends_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      const auto task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      changed_.notify_all();
      task();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  bool ends_ = false;
  std::vector<std::thread> threads_;  // last: they use the others
};

HttpAnswer answer_of(const HttpRoute& route, std::string_view path) {
  try {
    CUZK_FAILPOINT("http.answer");
    return route.answer(path);
  } catch (const std::exception& error) {
    logger(LogModule::http).error("{}: {}", route.path, error.what());
    return {500, "text/plain", std::string(error.what()) + "\n"};
  }
}

std::string names_of(const std::vector<HttpRoute>& routes, const std::vector<HttpStream>& streams) {
  std::string text = "there are:\n";
  for (const auto& route : routes) text += route.path + "\n";
  for (const auto& stream : streams) text += stream.path + "\n";
  return text;
}

std::size_t threads_for(const std::vector<HttpStream>& streams) {
  std::size_t count = kThreads;
  for (const auto& stream : streams) count += stream.most;
  return count;
}

void set_limits(httplib::Server& server, std::size_t threads) {
  server.new_task_queue = [threads] { return new BoundedQueue(threads); };
  server.set_read_timeout(kPatience);
  server.set_write_timeout(kPatience);
  server.set_keep_alive_timeout(kPatience);
  server.set_keep_alive_max_count(kRequests);
  server.set_payload_max_length(kLargestBody);
  // The library's default would let two daemons share a port without a word.
  server.set_socket_options([](auto socket) {
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  });
}

void set_routes(httplib::Server& server, const std::vector<HttpRoute>& routes) {
  for (const auto& route : routes) {
    server.Get(route.path, [route](const httplib::Request& request, httplib::Response& response) {
      const auto answer = answer_of(route, request.path);
      response.status = answer.status;
      if (route.readers == HttpRoute::Readers::all_pages) response.set_header("Access-Control-Allow-Origin", "*");
      response.set_header("Cache-Control", "no-store");
      for (const auto& [name, value] : answer.headers) response.set_header(name, value);
      response.set_content(answer.body, answer.type);
    });
  }
}

/// An open answer of a stream, counted until it ends.
class OpenPieces {
 public:
  OpenPieces(std::unique_ptr<HttpPieces> pieces, std::shared_ptr<std::atomic<std::size_t>> count)
      : pieces_(std::move(pieces)), count_(std::move(count)) {}
  ~OpenPieces() {
    pieces_.reset();
    --*count_;
  }
  OpenPieces(const OpenPieces&) = delete;
  OpenPieces& operator=(const OpenPieces&) = delete;

  bool write_next(httplib::DataSink& sink) const {
    const auto piece = pieces_->next();
    if (piece == nullptr) {
      sink.done();
      return true;
    }
    return sink.write(piece->data(), piece->size());
  }

 private:
  std::unique_ptr<HttpPieces> pieces_;
  const std::shared_ptr<std::atomic<std::size_t>> count_;
};

void refuse(httplib::Response& response, const HttpStream& stream) {
  response.status = 503;
  response.set_header("Retry-After", "10");
  response.set_content(fmt::format("{}: {} look already, and no more may\n", stream.path, stream.most), "text/plain");
}

void open_stream(const HttpStream& stream, const std::shared_ptr<std::atomic<std::size_t>>& count,
                 httplib::Response& response) {
  if (++*count > stream.most) {
    --*count;
    return refuse(response, stream);
  }
  auto pieces = stream.open();
  if (pieces == nullptr) {
    --*count;
    return refuse(response, stream);
  }
  const auto open = std::make_shared<OpenPieces>(std::move(pieces), count);
  response.set_header("Cache-Control", "no-store");
  response.set_header("X-Accel-Buffering", "no");  // a proxy that gathers pieces would show them late
  response.set_chunked_content_provider(
      stream.type, [open](std::size_t, httplib::DataSink& sink) { return open->write_next(sink); });
}

void set_streams(httplib::Server& server, const std::vector<HttpStream>& streams) {
  for (const auto& stream : streams) {
    const auto count = std::make_shared<std::atomic<std::size_t>>(0);
    server.Get(stream.path, [stream, count](const httplib::Request&, httplib::Response& response) {
      open_stream(stream, count, response);
    });
  }
}

void set_errors(httplib::Server& server, const std::string& names) {
  server.set_error_handler([names](const httplib::Request&, httplib::Response& response) {
    if (response.status == 404 && response.body.empty()) response.set_content(names, "text/plain");
  });
}

}  // namespace

class HttpServer::Listener {
 public:
  Listener(const std::string& address, const SocketAccess& access, const std::vector<HttpRoute>& routes,
           const std::vector<HttpStream>& streams) {
    set_limits(server_, threads_for(streams));
    set_routes(server_, routes);
    set_streams(server_, streams);
    set_errors(server_, names_of(routes, streams));
    const bool bound = is_unix(address) ? bind_socket(address, access) : bind_port(host_and_port(address));
    if (!bound) {
      throw Error(
          Code::unavailable,
          fmt::format("cannot listen on {}: the address is in use, not of this machine, or not allowed", address));
    }
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    // stop() does nothing before the thread has come so far.
    while (!server_.is_running()) std::this_thread::yield();
  }

  ~Listener() {
    server_.stop();
    thread_.join();
  }

 private:
  bool bind_socket(const std::string& address, const SocketAccess& access) {
    check_socket(address, access);
    const std::string path = socket_path(address);
    if (std::filesystem::is_socket(path)) std::filesystem::remove(path);  // left by one that has ended
    server_.set_address_family(AF_UNIX);
    {
      const PrivateSockets sockets;
      if (!server_.bind_to_port(path, 80)) return false;  // the port says nothing here
    }
    open_socket(address, access);
    return true;
  }

  bool bind_port(const HostPort& address) { return server_.bind_to_port(address.host, address.port); }

  httplib::Server server_;
  std::thread thread_;
};

HttpServer::HttpServer(const std::vector<std::string>& addresses, const SocketAccess& access,
                       const std::vector<HttpRoute>& routes, const std::vector<HttpStream>& streams) {
  for (const auto& address : addresses) {
    listeners_.push_back(std::make_unique<Listener>(address, access, routes, streams));
    logger(LogModule::http).info("status over HTTP on {}", address);
  }
}

HttpServer::~HttpServer() = default;

}  // namespace cuzk::server
