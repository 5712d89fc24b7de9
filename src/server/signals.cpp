#include "server/signals.h"

#include <poll.h>
#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <utility>

namespace cuzk::server {

Signals::Signals(std::unique_ptr<ParentProcess> parent) : parent_(std::move(parent)) {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  sigemptyset(&set_);
  sigaddset(&set_, SIGTERM);
  sigaddset(&set_, SIGINT);
  sigaddset(&set_, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &set_, &before_);
  descriptor_ = ::signalfd(-1, &set_, SFD_CLOEXEC | SFD_NONBLOCK);
}

Signals::~Signals() {
  ::close(descriptor_);
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

int Signals::wait(const std::stop_token& stop) const {
  constexpr int kPatience = 50;  // milliseconds: how late `stop` is seen
  std::array<pollfd, 2> events{{{descriptor_, POLLIN, 0}, {parent_ ? parent_->descriptor() : -1, POLLIN, 0}}};
  while (!stop.stop_requested()) {
    if (::poll(events.data(), events.size(), kPatience) <= 0) continue;
    if (events[1].revents != 0) return kParentEnded;
    signalfd_siginfo info{};
    if (::read(descriptor_, &info, sizeof(info)) == sizeof(info)) return static_cast<int>(info.ssi_signo);
  }
  return 0;
}

}  // namespace cuzk::server
