#include "server/signals.h"

#include <pthread.h>

namespace cuzk::server {

Signals::Signals() {
  signal(SIGPIPE, SIG_IGN);
  sigemptyset(&set_);
  sigaddset(&set_, SIGTERM);
  sigaddset(&set_, SIGINT);
  sigaddset(&set_, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &set_, &before_);
}

Signals::~Signals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

int Signals::wait(std::stop_token stop) const {
  constexpr timespec kPatience{0, 50'000'000};  // how late `stop` is seen
  while (!stop.stop_requested()) {
    if (const int number = sigtimedwait(&set_, nullptr, &kPatience); number > 0) return number;
  }
  return 0;
}

}  // namespace cuzk::server
