// Health and reflection, spoken to in raw bytes: their protocols are gRPC's own, no code of ours knows them.
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include "server/daemon_fixture.h"

namespace cuzk::server {
namespace {

using testing::HasSubstr;

grpc::ByteBuffer to_buffer(const std::string& bytes) {
  const grpc::Slice slice(bytes);
  return {&slice, 1};
}

std::string to_string(const grpc::ByteBuffer& buffer) {
  std::vector<grpc::Slice> slices;
  if (!buffer.Dump(&slices).ok()) return "";
  std::string bytes;
  for (const auto& slice : slices) bytes.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  return bytes;
}

/// One message there, one back, over a call of any kind.
std::string exchange(const std::string& address, const std::string& method, const std::string& message) {
  grpc::GenericStub stub(grpc::CreateChannel(address, grpc::InsecureChannelCredentials()));
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(20));
  grpc::CompletionQueue queue;
  const auto wait = [&] {
    void* tag = nullptr;
    bool ok = false;
    return queue.Next(&tag, &ok) && ok;
  };
  const auto call = stub.PrepareCall(&context, method, &queue);
  call->StartCall(nullptr);
  EXPECT_TRUE(wait());
  call->Write(to_buffer(message), nullptr);
  EXPECT_TRUE(wait());
  grpc::ByteBuffer answer;
  call->Read(&answer, nullptr);
  const std::string bytes = wait() ? to_string(answer) : "";
  call->WritesDone(nullptr);
  wait();
  grpc::Status status;
  call->Finish(&status, nullptr);
  wait();
  return bytes;
}

/// HealthCheckRequest{service = 1}
std::string health_request(const std::string& service) {
  return std::string("\x0a") + static_cast<char>(service.size()) + service;
}

TEST_F(DaemonTest, HealthSaysServing) {
  start();
  const std::string serving("\x08\x01", 2);  // HealthCheckResponse{status = SERVING}
  EXPECT_EQ(exchange(address(), "/grpc.health.v1.Health/Check", ""), serving);
  EXPECT_EQ(exchange(address(), "/grpc.health.v1.Health/Check", health_request("cuzk.v1.ProvingEngine")), serving);
  EXPECT_EQ(exchange(address(), "/grpc.health.v1.Health/Check", health_request("window-post")), serving);
  EXPECT_EQ(exchange(address(), "/grpc.health.v1.Health/Check", health_request("no-such-kind")), "");
}

TEST_F(DaemonTest, HealthSaysNotServingWhileDraining) {
  start({"--insecure-prove-delay", "1500"});
  client->submit(toy("a"));
  daemon->signal(SIGTERM);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_EQ(exchange(address(), "/grpc.health.v1.Health/Check", ""), std::string("\x08\x02", 2));
  EXPECT_EQ(daemon->wait(), 0);
}

TEST_F(DaemonTest, ReflectionListsTheService) {
  start();
  const std::string list_services("\x3a\x01*", 3);  // ServerReflectionRequest{list_services = "*"}
  EXPECT_THAT(exchange(address(), "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", list_services),
              HasSubstr("cuzk.v1.ProvingEngine"));
}

}  // namespace
}  // namespace cuzk::server
