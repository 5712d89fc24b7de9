/// A daemon that another program starts for itself: it ends with that program, may get its socket from it, and tells it
/// when it is ready.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "server/daemon.h"
#include "server/inherited_socket.h"
#include "server/parent_process.h"

namespace cuzk::apps {

struct ChildOptions {
  std::optional<int> parent;  ///< ends with this process, which started it
  std::optional<int> socket;  ///< a listening socket to serve at, in place of daemon.listen
  std::optional<int> ready;   ///< gets one byte, and is closed, when the daemon is ready
};

/// Adds --parent-pid, --fd and --ready-fd.
void add_child_options(CLI::App& command, ChildOptions& options);

/// Null where none is named. Throws as server::ParentProcess.
std::unique_ptr<server::ParentProcess> watched_parent(const ChildOptions& options);

/// What a daemon was given by the one who started it.
class Child {
 public:
  /// Takes the descriptors over. Throws as server::InheritedSocket.
  explicit Child(const ChildOptions& options);

  /// Tells readiness by "ready ADDRESS,..." on standard output where any of the options is given, and by a byte on the
  /// descriptor. To be used as long as this object lives.
  server::Launch launch() const;

 private:
  const ChildOptions options_;
  std::unique_ptr<const server::InheritedSocket> socket_;  // null: none was given
};

}  // namespace cuzk::apps
