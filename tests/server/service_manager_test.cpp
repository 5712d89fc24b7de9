// What the daemon tells systemd over NOTIFY_SOCKET.
#include <sys/socket.h>
#include <sys/un.h>

#include <cstdlib>

#include "server/daemon_fixture.h"

namespace cuzk::server {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

/// systemd's end of the socket.
class Manager {
 public:
  explicit Manager(const std::string& path) : descriptor_(::socket(AF_UNIX, SOCK_DGRAM, 0)) {
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    path.copy(name.sun_path, sizeof(name.sun_path) - 1);
    EXPECT_EQ(::bind(descriptor_, reinterpret_cast<const sockaddr*>(&name), sizeof(name)), 0);
    ::setenv("NOTIFY_SOCKET", path.c_str(), 1);  // for the programs that this one starts
  }
  ~Manager() {
    ::unsetenv("NOTIFY_SOCKET");
    ::close(descriptor_);
  }
  Manager(const Manager&) = delete;
  Manager& operator=(const Manager&) = delete;

  std::string next() const {
    char buffer[256];
    const auto length = ::recv(descriptor_, buffer, sizeof(buffer), 0);
    return {buffer, static_cast<std::size_t>(length < 0 ? 0 : length)};
  }

 private:
  int descriptor_;
};

TEST_F(DaemonTest, TellsItsServiceManagerWhatItDoes) {
  const Manager manager(folder / "notify");
  start();
  EXPECT_EQ(manager.next(), "READY=1");
  daemon->signal(SIGHUP);
  EXPECT_THAT(manager.next(), AllOf(StartsWith("RELOADING=1\n"), HasSubstr("MONOTONIC_USEC=")));
  EXPECT_EQ(manager.next(), "READY=1");
  daemon->signal(SIGTERM);
  EXPECT_THAT(manager.next(), StartsWith("STOPPING=1"));
  EXPECT_EQ(daemon->wait(), 0);
}

TEST_F(DaemonTest, AServiceManagerThatDoesNotListenIsNoError) {
  ::setenv("NOTIFY_SOCKET", (folder / "nobody").c_str(), 1);
  start();
  ::unsetenv("NOTIFY_SOCKET");
  EXPECT_EQ(client->prove(toy("a")).status(), v1::AwaitProofResponse::COMPLETED);
}

}  // namespace
}  // namespace cuzk::server
