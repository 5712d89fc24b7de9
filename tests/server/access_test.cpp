// Who may connect to the daemon: modes of sockets, TLS, certificates of clients, tokens; and that they change while it
// serves.
#include <sys/stat.h>

#include "server/certificates.h"
#include "server/daemon_fixture.h"
#include "server/free_port.h"

namespace cuzk::server {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;

mode_t mode_of(const std::filesystem::path& file) {
  struct stat status {};
  ::stat(file.c_str(), &status);
  return status.st_mode & 07777;
}

TEST_F(DaemonTest, ASocketHasItsMode) {
  start();
  EXPECT_EQ(mode_of(folder / "s"), 0660u);
  daemon.reset();
  start({"--set", "daemon.socket_mode=0600"});
  EXPECT_EQ(mode_of(folder / "s"), 0600u);
}

TEST_F(DaemonTest, ASocketGoesToAGroupAndOneThatDoesNotExistIsNamed) {
  start({"--set", "daemon.socket_group=root"});
  daemon.reset();
  const auto outcome =
      test::run({CUZK_PROGRAM, "serve", "-l", address(), "--set", "daemon.socket_group=no-such-group"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("daemon.socket_group"), HasSubstr("no-such-group")));
}

TEST_F(DaemonTest, TcpWithoutTlsIsRefusedWithWhatToSet) {
  const auto outcome = test::run({CUZK_PROGRAM, "serve", "-l", "127.0.0.1:0"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("127.0.0.1:0"), HasSubstr("tls.certificate"), HasSubstr("daemon.insecure"),
                                 HasSubstr("unix")));
}

class TlsTest : public DaemonTest {
 protected:
  TlsTest() {
    authority.write(folder / "ca.pem");
    authority.issue("daemon", folder / "daemon.pem", folder / "daemon.key");
    clients.write(folder / "clients.pem");
    clients.issue("client", folder / "client.pem", folder / "client.key");
    std::ofstream(folder / "tokens") << "# of the first client\n" << kToken << "\n";
    std::ofstream(folder / "token") << kToken << "\n";
  }

  /// With TLS on a TCP address beside the socket. `more`: pairs of key and value below [tls].
  void start_with_tls(const std::vector<std::string>& more, const std::vector<std::string>& options = {}) {
    listen = address() + "," + tcp;
    configuration = "[tls]\ncertificate = \"" + file("daemon.pem") + "\"\nkey = \"" + file("daemon.key") +
                    "\"\nreload_interval = \"1s\"\n";
    for (std::size_t i = 0; i + 1 < more.size(); i += 2)
      configuration += more[i] + " = \"" + file(more[i + 1]) + "\"\n";
    start(options);
  }

  std::string file(const std::string& name) const { return (folder / name).string(); }
  Client anonymous() const { return Client(Connection{tcp, folder / "ca.pem", {}, {}, {}}); }
  Client with_token(const std::string& name) const {
    return Client(Connection{tcp, folder / "ca.pem", {}, {}, folder / name});
  }
  Client with_certificate(const std::string& name) const {
    return Client(Connection{tcp, folder / "ca.pem", folder / (name + ".pem"), folder / (name + ".key"), {}});
  }

  static constexpr const char* kToken = "correct-horse-battery-staple";
  const std::string tcp = test::free_address();
  const test::Authority authority{"authority of servers"}, clients{"authority of clients"};
};

TEST_F(TlsTest, ASocketThatWasHandedOverAsksForATokenToo) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  ASSERT_EQ(::listen(socket, 8), 0);  // the kernel chooses a port
  sockaddr_in name{};
  socklen_t length = sizeof(name);
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&name), &length);
  start_with_tls({"token_file", "tokens"}, {"--fd", std::to_string(socket)});
  ::close(socket);
  const std::string there = "127.0.0.1:" + std::to_string(ntohs(name.sin_port));
  Client with(Connection{there, folder / "ca.pem", {}, {}, folder / "token"});
  EXPECT_EQ(with.prove(toy("a")).status(), v1::AwaitProofResponse::COMPLETED);
  Client without(Connection{there, folder / "ca.pem", {}, {}, {}});
  EXPECT_THAT(error_of(Code::unavailable, [&] { without.status(); }), HasSubstr("no token"));
}

TEST_F(TlsTest, ATokenLetsIn) {
  start_with_tls({"token_file", "tokens"});
  EXPECT_EQ(with_token("token").prove(toy("a")).status(), v1::AwaitProofResponse::COMPLETED);
  EXPECT_THAT(error_of(Code::unavailable, [&] { anonymous().status(); }), HasSubstr("no token"));
  std::ofstream(folder / "wrong") << "correct-horse-battery-stapler\n";
  EXPECT_THAT(error_of(Code::unavailable, [&] { with_token("wrong").status(); }), HasSubstr("not known"));
  error_of(Code::unavailable, [&] { Client(tcp).status(); });
  EXPECT_TRUE(answers()) << "the socket asks for no token";
}

TEST_F(TlsTest, ACertificateOfTheAuthorityLetsIn) {
  start_with_tls({"client_ca", "clients.pem"});
  EXPECT_EQ(with_certificate("client").prove(toy("a")).status(), v1::AwaitProofResponse::COMPLETED);
  error_of(Code::unavailable, [&] { anonymous().status(); });
  error_of(Code::unavailable, [&] { with_certificate("daemon").status(); });  // signed by another authority
}

TEST_F(TlsTest, AFolderWithoutListsOfRevokedCertificatesIsNamed) {
  std::filesystem::create_directory(folder / "revoked");
  std::ofstream(folder / "revoked/list.pem") << "none\n";
  const auto serve = [&] {
    return test::run({CUZK_PROGRAM, "serve", "-l", tcp, "--set", "tls.certificate=" + file("daemon.pem"), "--set",
                      "tls.key=" + file("daemon.key"), "--set", "tls.client_ca=" + file("clients.pem"), "--set",
                      "tls.client_crls=" + file("revoked")});
  };
  EXPECT_THAT(serve().err, AllOf(HasSubstr("tls.client_crls"), HasSubstr("openssl rehash")));
  std::filesystem::rename(folder / "revoked/list.pem", folder / "revoked/9d66eef0.r0");
  EXPECT_THAT(serve().err, AllOf(HasSubstr("9d66eef0.r0"), HasSubstr("no list of revoked certificates")));
}

TEST_F(TlsTest, AClientRefusesADaemonOfAnotherAuthority) {
  start_with_tls({"token_file", "tokens"});
  error_of(Code::unavailable, [&] {
    Client(Connection{tcp, folder / "clients.pem", {}, {}, folder / "token"}).status();
  });
}

TEST_F(TlsTest, TlsAloneIsNoAuthentication) {
  const std::vector<std::string> command{CUZK_PROGRAM, "serve",
                                         "-l",         tcp,
                                         "--set",      "tls.certificate=" + file("daemon.pem"),
                                         "--set",      "tls.key=" + file("daemon.key")};
  const auto outcome = test::run(command);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("tls.client_ca"), HasSubstr("tls.token_file")));
}

TEST_F(TlsTest, TokensChangeWithAReload) {
  start_with_tls({"token_file", "tokens"});
  std::ofstream(folder / "tokens") << "another-token-of-the-tests\n";
  std::ofstream(folder / "second") << "another-token-of-the-tests\n";
  EXPECT_NO_THROW(with_token("token").status()) << "not before the signal";
  daemon->signal(SIGHUP);
  while (log().find("tokens read: 1") == std::string::npos) std::this_thread::sleep_for(5ms);
  EXPECT_NO_THROW(with_token("second").status());
  error_of(Code::unavailable, [&] { with_token("token").status(); });
  std::ofstream(folder / "tokens") << "short\n";
  daemon->signal(SIGHUP);
  while (log().find("stay as they were") == std::string::npos) std::this_thread::sleep_for(5ms);
  EXPECT_NO_THROW(with_token("second").status()) << "a damaged file changes nothing";
  EXPECT_THAT(log(), testing::Not(HasSubstr("another-token")));
}

TEST_F(TlsTest, ACertificateIsTakenWithoutARestart) {
  start_with_tls({"token_file", "tokens"});
  EXPECT_NO_THROW(with_token("token").status());
  const test::Authority next("next authority");
  next.write(folder / "next.pem");
  next.issue("daemon", folder / "daemon.pem", folder / "daemon.key");
  for (bool taken = false; !taken;) {  // until the daemon has looked; the test's own limit ends it otherwise
    try {
      Client(Connection{tcp, folder / "next.pem", {}, {}, folder / "token"}).status();
      taken = true;
    } catch (const Error&) {
      std::this_thread::sleep_for(50ms);
    }
  }
  error_of(Code::unavailable, [&] { with_token("token").status(); });
}

TEST_F(TlsTest, WrongFilesAreNamedAtTheStart) {
  std::ofstream(folder / "empty") << "\n";
  const auto refused = [&](const std::string& certificate, const std::string& key, const std::string& tokens) {
    const auto outcome = test::run({CUZK_PROGRAM, "serve", "-l", tcp, "--set", "tls.certificate=" + file(certificate),
                                    "--set", "tls.key=" + file(key), "--set", "tls.token_file=" + file(tokens)});
    EXPECT_EQ(outcome.status, 1);
    return outcome.err;
  };
  EXPECT_THAT(refused("daemon.pem", "client.key", "tokens"), AllOf(HasSubstr("client.key"), HasSubstr("not the key")));
  EXPECT_THAT(refused("missing.pem", "daemon.key", "tokens"), HasSubstr("missing.pem"));
  EXPECT_THAT(refused("empty", "daemon.key", "tokens"), HasSubstr("no certificate in PEM"));
  EXPECT_THAT(refused("daemon.pem", "empty", "tokens"), HasSubstr("no private key"));
  EXPECT_THAT(refused("daemon.pem", "daemon.key", "empty"), HasSubstr("no token in it"));
}

TEST_F(TlsTest, TheProgramConnectsWithCertificatesAndTokens) {
  start_with_tls({"client_ca", "clients.pem", "token_file", "tokens"});
  const auto status = [&](std::vector<std::string> more) {
    std::vector<std::string> command{CUZK_PROGRAM, "status", "--json", "--connect", tcp, "--ca", file("ca.pem")};
    command.insert(command.end(), more.begin(), more.end());
    return test::run(command);
  };
  const std::vector<std::string> all{"--cert",           file("client.pem"), "--key",
                                     file("client.key"), "--token-file",     file("token")};
  const auto good = status(all);
  EXPECT_EQ(good.status, 0) << good.err;
  EXPECT_THAT(good.out, HasSubstr("uptime_seconds"));
  EXPECT_EQ(status({all.begin(), all.begin() + 4}).status, 1) << "without a token";
  EXPECT_EQ(status({all.begin(), all.begin() + 2}).status, 2) << "a certificate without its key";
}

}  // namespace
}  // namespace cuzk::server
