#include "commands/server_child.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"

namespace cuzk::apps {

namespace {

bool is_child(const ChildOptions& options) { return options.parent || options.socket || options.ready; }

void check_open(int descriptor, const char* option) {
  if (::fcntl(descriptor, F_GETFD) < 0) throw invalid_input("{} {}: {}", option, descriptor, std::strerror(errno));
}

void tell_by_byte(int descriptor) {
  if (::write(descriptor, "\n", 1) != 1)
    logger(LogModule::server)
        .warn("descriptor {} cannot be told that this is ready: {}", descriptor, std::strerror(errno));
  ::close(descriptor);
}

}  // namespace

void add_child_options(CLI::App& command, ChildOptions& options) {
  command.add_option("--parent-pid", options.parent, "ends at once when this process, which started it, ends")
      ->check(CLI::PositiveNumber);
  command.add_option("--fd", options.socket, "number of a listening socket to serve at, in place of daemon.listen")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--ready-fd", options.ready, "number of a descriptor that gets a byte when the daemon is ready")
      ->check(CLI::NonNegativeNumber);
}

std::unique_ptr<server::ParentProcess> watched_parent(const ChildOptions& options) {
  return options.parent ? std::make_unique<server::ParentProcess>(*options.parent) : nullptr;
}

Child::Child(const ChildOptions& options) : options_(options) {
  if (options.ready) {
    check_open(*options.ready, "--ready-fd");
    ::fcntl(*options.ready, F_SETFD, FD_CLOEXEC);
  }
  if (!options.socket) return;
  check_open(*options.socket, "--fd");
  socket_ = std::make_unique<const server::InheritedSocket>(*options.socket);
}

server::Launch Child::launch() const {
  if (!is_child(options_)) return {};
  return {socket_.get(), [this](const std::vector<std::string>& addresses) {
            std::cout << fmt::format("ready {}", fmt::join(addresses, ",")) << std::endl;
            if (options_.ready) tell_by_byte(*options_.ready);
          }};
}

}  // namespace cuzk::apps
