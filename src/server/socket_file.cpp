#include "server/socket_file.h"

#include <grp.h>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "base/failpoint.h"

namespace cuzk::server {

namespace {

constexpr auto kUnchanged = static_cast<uid_t>(-1);

/// Whether somebody answers at a socket: taking its name away would leave two daemons.
bool is_served(const std::string& path) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  if (path.size() >= sizeof(name.sun_path)) {
    throw invalid_input("socket {}: {} characters, expected at most {}", path, path.size(), sizeof(name.sun_path) - 1);
  }
  path.copy(name.sun_path, path.size());
  const int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return false;
  const int refused = connect(descriptor, reinterpret_cast<const sockaddr*>(&name), sizeof(name));
  close(descriptor);
  return refused == 0;
}

uid_t user_of(const std::string& name) {
  if (name.empty()) return kUnchanged;
  if (const passwd* user = getpwnam(name.c_str())) return user->pw_uid;  // at the start and in checks: one thread
  throw invalid_input("daemon.socket_owner: there is no user '{}'", name);
}

gid_t group_of(const std::string& name) {
  if (name.empty()) return kUnchanged;
  if (const group* found = getgrnam(name.c_str())) return found->gr_gid;
  throw invalid_input("daemon.socket_group: there is no group '{}'", name);
}

void check(int status, const std::string& path, std::string_view what) {
  if (status == 0) return;
  throw Error(Code::unavailable, fmt::format("socket {}: {}: {}", path, what, std::strerror(errno)));
}

}  // namespace

void check_socket(const std::string& address, const SocketAccess& access) {
  const std::filesystem::path path = socket_path(address);
  const auto folder = path.parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder)) {
    throw Error(Code::not_found,
                fmt::format("cannot listen on {}: there is no directory {}", address, folder.string()));
  }
  if (is_served(path))
    throw Error(Code::unavailable, fmt::format("cannot listen on {}: another process does", address));
  user_of(access.owner);
  group_of(access.group);
}

void open_socket(const std::string& address, const SocketAccess& access) {
  CUZK_FAILPOINT("socket.open");
  const std::string path = socket_path(address);
  const uid_t owner = user_of(access.owner);
  const gid_t group = group_of(access.group);
  if (owner != kUnchanged || group != kUnchanged) {
    check(chown(path.c_str(), owner, group), path,
          fmt::format("cannot be given to '{}:{}'", access.owner, access.group));
  }
  check(chmod(path.c_str(), access.mode), path, fmt::format("cannot have the mode {:04o}", access.mode));
}

}  // namespace cuzk::server
