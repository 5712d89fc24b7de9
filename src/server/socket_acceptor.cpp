#include "server/socket_acceptor.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "base/log.h"

namespace cuzk::server {

namespace {

/// Descriptors or memory are short: looking again at once would only take a processor.
constexpr auto kAfterFailure = std::chrono::milliseconds(100);

bool is_of_one_connection(int error) { return error == EAGAIN || error == EINTR || error == ECONNABORTED; }

}  // namespace

SocketAcceptor::SocketAcceptor(const InheritedSocket& socket,
                               std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> connections)
    : socket_(socket),
      connections_(std::move(connections)),
      end_(::eventfd(0, EFD_CLOEXEC)),
      thread_([this](const std::stop_token& stop) { accept_until(stop); }) {}

SocketAcceptor::~SocketAcceptor() {
  thread_.request_stop();
  ::eventfd_write(end_, 1);
  thread_.join();
  ::close(end_);
}

void SocketAcceptor::accept_until(const std::stop_token& stop) {
  std::array<pollfd, 2> waiting{{{socket_.descriptor(), POLLIN, 0}, {end_, POLLIN, 0}}};
  while (!stop.stop_requested()) {
    if (::poll(waiting.data(), waiting.size(), -1) > 0 && waiting[0].revents != 0) accept_one();
  }
}

void SocketAcceptor::accept_one() {
  const int connection = ::accept4(socket_.descriptor(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (connection < 0) {
    if (is_of_one_connection(errno)) return;
    logger(LogModule::server).warn("cannot accept a connection on {}: {}", socket_.address(), std::strerror(errno));
    std::this_thread::sleep_for(kAfterFailure);
    return;
  }
  grpc::experimental::ExternalConnectionAcceptor::NewConnectionParameters parameters;
  parameters.listener_fd = socket_.descriptor();
  parameters.fd = connection;
  connections_->HandleNewConnection(&parameters);
}

}  // namespace cuzk::server
