// A daemon that another program starts for itself: it ends with that program, listens where it is told to, and says when
// it is ready.
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <cstring>

#include "server/crash_fixture.h"

namespace cuzk::server {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// Both ends of a pipe, which programs that are started get too.
class Pipe {
 public:
  Pipe() { EXPECT_EQ(::pipe(ends_.data()), 0); }
  ~Pipe() {
    close_writing();
    ::close(ends_[0]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int writing() const { return ends_[1]; }
  void close_writing() {
    if (ends_[1] >= 0) ::close(std::exchange(ends_[1], -1));
  }

  /// Until the other end is closed everywhere.
  std::string read_all() {
    close_writing();
    std::string text;
    for (char c = 0; ::read(ends_[0], &c, 1) == 1;) text += c;
    return text;
  }

  std::string read_line() {
    std::string text;
    for (char c = 0; ::read(ends_[0], &c, 1) == 1 && c != '\n';) text += c;
    return text;
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

int listening_unix_socket(const std::string& path) {
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  path.copy(name.sun_path, sizeof(name.sun_path) - 1);
  EXPECT_EQ(::bind(descriptor, reinterpret_cast<const sockaddr*>(&name), sizeof(name)), 0);
  EXPECT_EQ(::listen(descriptor, 8), 0);
  return descriptor;
}

class ChildTest : public CrashFixture {
 protected:
  ChildTest() { ::prctl(PR_SET_CHILD_SUBREAPER, 1); }  // who loses its parent becomes a child of the test

  std::vector<std::string> command(const std::vector<std::string>& more) {
    std::ofstream(folder / "cuzk.toml") << "[srs]\nparam_cache = \"" << (folder / "keys").string() << "\"\n"
                                        << configuration;
    std::vector<std::string> words{CUZK_PROGRAM, "serve", "-c", folder / "cuzk.toml", "--insecure-toys"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  /// Starts it as a child of this process.
  void start_child(const std::vector<std::string>& more) {
    daemon = std::make_unique<test::Process>(command(more), folder / "out", folder / "log");
  }

  /// Starts a program that starts the daemon; writes to `ready` when it is. Returns the number of that program, and stores
  /// the daemon's.
  pid_t start_with_parent(Pipe& ready, const std::vector<std::string>& more) {
    Pipe told;
    const pid_t parent = ::fork();
    if (parent == 0) {
      auto words = command({"--parent-pid", std::to_string(::getpid()), "--ready-fd", std::to_string(ready.writing())});
      words.insert(words.end(), more.begin(), more.end());
      const std::string number = std::to_string(spawn(words)) + "\n";
      ready.close_writing();
      [[maybe_unused]] const auto written = ::write(told.writing(), number.data(), number.size());
      for (;;) ::pause();
    }
    child = std::stoi(told.read_line());
    return parent;
  }

  /// A child of whoever calls, which is a program of one thread.
  pid_t spawn(const std::vector<std::string>& words) const {
    const int out = ::open((folder / "out").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int err = ::open((folder / "log").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    std::vector<char*> arguments;
    for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const pid_t id = ::fork();
    if (id != 0) return id;
    ::dup2(out, STDOUT_FILENO);
    ::dup2(err, STDERR_FILENO);
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }

  static void end(pid_t parent) {
    ::kill(parent, SIGKILL);
    ::waitpid(parent, nullptr, 0);
  }

  /// The status with which the daemon ended that has lost its parent.
  int wait_for_child() const {
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  pid_t child = 0;
};

TEST_F(ChildTest, EndsCleanlyWithItsParentWhateverItDoes) {
  Pipe ready;
  const pid_t parent = start_with_parent(ready, {"-l", address(), "--insecure-prove-delay", "3600000"});
  EXPECT_EQ(ready.read_all(), "\n");
  client = std::make_unique<Client>(address());
  submit(toy("a"));
  end(parent);
  EXPECT_EQ(wait_for_child(), 0) << log();
  EXPECT_THAT(log(), HasSubstr("the parent has ended"));
  EXPECT_THAT(log(), HasSubstr("stopped"));
  EXPECT_FALSE(std::filesystem::exists(folder / "s")) << "its socket is gone";

  start();  // the journal has what it was doing
  expect_all_proved();
}

TEST_F(ChildTest, EndsWithItsParentWhileItDrains) {
  Pipe ready;
  const pid_t parent = start_with_parent(ready, {"-l", address(), "--insecure-prove-delay", "3600000"});
  EXPECT_EQ(ready.read_all(), "\n");
  client = std::make_unique<Client>(address());
  submit(toy("a"));
  ::kill(child, SIGTERM);
  while (log().find("draining") == std::string::npos) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  end(parent);
  EXPECT_EQ(wait_for_child(), 0) << log();
}

TEST_F(ChildTest, OutlivesTheThreadThatStartedIt) {
  std::thread([this] { start_child({"-l", address(), "--parent-pid", std::to_string(::getpid())}); }).join();
  while (test::text_of(folder / "out").empty()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  client = std::make_unique<Client>(address());
  EXPECT_EQ(client->prove(toy("a")).status(), v1::AwaitProofResponse::COMPLETED);
}

TEST_F(ChildTest, DoesNotStartWithoutItsParent) {
  start_child({"-l", address(), "--parent-pid", std::to_string(::getppid())});
  EXPECT_EQ(daemon->wait(), 1);
  EXPECT_THAT(log(), HasSubstr("is not the parent of this one"));
}

TEST_F(ChildTest, ServesAtASocketThatItIsGiven) {
  const int socket = listening_unix_socket(folder / "given");
  Client early("unix://" + (folder / "given").string());  // connects before anybody accepts
  start_child({"--fd", std::to_string(socket), "--parent-pid", std::to_string(::getpid())});
  ::close(socket);
  EXPECT_EQ(early.prove(toy("a")).status(), v1::AwaitProofResponse::COMPLETED) << log();
  Client late("unix://" + (folder / "given").string());
  EXPECT_EQ(late.status().total_proofs_completed(), 1u);
  EXPECT_EQ(test::text_of(folder / "out"), "ready unix://" + (folder / "given").string() + "\n");
  daemon->signal(SIGTERM);
  EXPECT_EQ(daemon->wait(), 0);
}

TEST_F(ChildTest, ServesAtItsAddressesBesideTheSocketWhereTheyAreAskedFor) {
  const int socket = listening_unix_socket(folder / "given");
  Pipe ready;
  start_child({"--fd", std::to_string(socket), "-l", address(), "--ready-fd", std::to_string(ready.writing())});
  ::close(socket);
  ready.read_all();
  for (const auto& where : {address(), "unix://" + (folder / "given").string()})
    EXPECT_EQ(Client(where).status().total_proofs_completed(), 0u);
}

TEST_F(ChildTest, SaysWhichPortWasChosen) {
  Pipe ready;
  start_child({"-l", "127.0.0.1:0", "--insecure", "--ready-fd", std::to_string(ready.writing())});
  EXPECT_EQ(ready.read_all(), "\n");
  const std::string line = test::text_of(folder / "out");
  ASSERT_THAT(line, StartsWith("ready 127.0.0.1:"));
  Client there(line.substr(6, line.size() - 7));
  EXPECT_EQ(there.prove(toy("a")).status(), v1::AwaitProofResponse::COMPLETED);
}

TEST_F(ChildTest, RefusesWhatIsNoListeningSocket) {
  const int unbound = ::socket(AF_UNIX, SOCK_STREAM, 0);
  start_child({"--fd", std::to_string(unbound)});
  EXPECT_EQ(daemon->wait(), 1);
  EXPECT_THAT(log(), HasSubstr("does not listen"));
  ::close(unbound);

  const Pipe pipe;
  start_child({"--fd", std::to_string(pipe.writing())});
  EXPECT_EQ(daemon->wait(), 1);
  EXPECT_THAT(log(), HasSubstr("is no socket"));

  start_child({"--fd", "999"});
  EXPECT_EQ(daemon->wait(), 1);
  EXPECT_THAT(log(), HasSubstr("--fd 999: "));
}

TEST_F(ChildTest, ATcpSocketNeedsTlsAsAnAddressDoes) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  ASSERT_EQ(::listen(socket, 8), 0);  // the kernel chooses a port
  start_child({"--fd", std::to_string(socket)});
  EXPECT_EQ(daemon->wait(), 1);
  EXPECT_THAT(log(), HasSubstr("TCP without TLS"));
  ::close(socket);
}

}  // namespace
}  // namespace cuzk::server
