// How connections are kept and bounded: sizes of messages, compression, clients that have gone without a word.
#include <grpcpp/grpcpp.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "server/daemon_fixture.h"

namespace cuzk::server {
namespace {

using testing::HasSubstr;

grpc::Status prove(const std::string& address, const v1::SubmitProofRequest& request, v1::ProveResponse& response,
                   grpc_compression_algorithm compression) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxSendMessageSize(-1);
  const auto stub =
      v1::ProvingEngine::NewStub(grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments));
  grpc::ClientContext context;
  context.set_compression_algorithm(compression);
  v1::ProveRequest message;
  *message.mutable_submit() = request;
  return stub->Prove(&context, message, &response);
}

TEST_F(DaemonTest, TakesCompressedRequests) {
  start();
  for (const auto compression : {GRPC_COMPRESS_GZIP, GRPC_COMPRESS_DEFLATE}) {
    v1::ProveResponse response;
    const auto status = prove(address(), toy(std::to_string(compression)), response, compression);
    EXPECT_TRUE(status.ok()) << status.error_message();
    EXPECT_EQ(response.result().status(), v1::AwaitProofResponse::COMPLETED) << response.result().error_message();
  }
}

TEST_F(DaemonTest, AMessageAboveTheLimitIsRefusedAndTheDaemonLives) {
  start({"--set", "daemon.max_message_size=1MiB"});
  auto request = toy("large");
  request.set_vanilla_proof(std::string(std::size_t{2} << 20, ' '));
  for (const auto compression : {GRPC_COMPRESS_NONE, GRPC_COMPRESS_GZIP}) {  // 2 MiB of spaces are 2 KB compressed
    v1::ProveResponse response;
    const auto status = prove(address(), request, response, compression);
    EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED) << status.error_message();
  }
  EXPECT_EQ(client->prove(toy("small")).status(), v1::AwaitProofResponse::COMPLETED);
}

TEST_F(DaemonTest, ARefusalSaysWhenToComeBack) {
  configuration = "[jobs]\nmax_queued = 1\n";
  start({"--insecure-prove-delay", "60000"});
  const auto stub = v1::ProvingEngine::NewStub(grpc::CreateChannel(address(), grpc::InsecureChannelCredentials()));
  grpc::Status status;
  std::string later;
  for (int i = 0; i < 100 && status.ok(); ++i) {
    grpc::ClientContext context;
    v1::SubmitProofResponse response;
    status = stub->SubmitProof(&context, toy(std::to_string(i)), &response);
    const auto& metadata = context.GetServerTrailingMetadata();
    if (const auto hint = metadata.find("grpc-retry-pushback-ms"); hint != metadata.end())
      later.assign(hint->second.data(), hint->second.size());
  }
  EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_THAT(status.error_message(), HasSubstr("try again in "));
  ASSERT_FALSE(later.empty());
  EXPECT_GE(std::stoi(later), 1000);
}

/// A connection that speaks HTTP/2 once and is silent afterwards, as that of a machine that has lost its power.
class SilentPeer {
 public:
  explicit SilentPeer(const std::string& path) : descriptor_(::socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    path.copy(name.sun_path, sizeof(name.sun_path) - 1);
    EXPECT_EQ(::connect(descriptor_, reinterpret_cast<const sockaddr*>(&name), sizeof(name)), 0);
    const std::string hello = std::string("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n") + std::string("\0\0\0\4\0\0\0\0\0", 9);
    EXPECT_EQ(::send(descriptor_, hello.data(), hello.size(), MSG_NOSIGNAL), static_cast<ssize_t>(hello.size()));
  }
  ~SilentPeer() { ::close(descriptor_); }
  SilentPeer(const SilentPeer&) = delete;
  SilentPeer& operator=(const SilentPeer&) = delete;

  /// Waits until the other side hangs up; what it said until then.
  std::string read_to_end() const {
    std::string all;
    char buffer[1024];
    for (ssize_t length = 0; (length = ::recv(descriptor_, buffer, sizeof(buffer), 0)) > 0;)
      all.append(buffer, static_cast<std::size_t>(length));
    return all;
  }

 private:
  int descriptor_;
};

TEST_F(DaemonTest, AClientThatHasGoneWithoutAWordIsLetGo) {
  start({"--set", "daemon.keepalive_time=1s", "--set", "daemon.keepalive_timeout=1s"});
  const std::string said = SilentPeer(folder / "s").read_to_end();
  EXPECT_THAT(said, HasSubstr(std::string("\x06\x00\x00\x00\x00\x00", 6))) << "a frame of type PING";
  // The test's own client was asked too, and reads only while it calls: it may have to connect again.
  while (daemon->runs() && !answers()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_TRUE(daemon->runs()) << log();
}

}  // namespace
}  // namespace cuzk::server
