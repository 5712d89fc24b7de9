#include "server/daemon.h"

#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/health_check_service_interface.h>
#include <spdlog/spdlog.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <thread>

#include "base/error.h"
#include "server/proving_service.h"
#include "server/wire.h"

namespace cuzk::server {

namespace {

/// After the last job has ended: time for the answers to reach their callers.
constexpr auto kAnswersGetOut = std::chrono::seconds(5);

bool is_unix(const std::string& address) { return address.starts_with("unix:"); }

std::string socket_path(const std::string& address) {
  const std::string rest = address.substr(5);
  return rest.starts_with("//") ? rest.substr(2) : rest;
}

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

void check_address(const std::string& address) {
  if (!is_unix(address)) {
    spdlog::warn("listening on {} without encryption or authentication: whoever reaches it can use this daemon",
                 address);
    return;
  }
  const std::filesystem::path path = socket_path(address);
  const auto folder = path.parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder)) {
    throw Error(Code::not_found,
                fmt::format("cannot listen on {}: there is no directory {}", address, folder.string()));
  }
  if (is_served(path))
    throw Error(Code::unavailable, fmt::format("cannot listen on {}: another process does", address));
}

std::unique_ptr<grpc::Server> start_server(const std::vector<std::string>& addresses, ProvingService& service) {
  grpc::EnableDefaultHealthCheckService(true);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  grpc::ServerBuilder builder;
  builder.SetMaxReceiveMessageSize(kMaxMessageBytes);
  builder.SetMaxSendMessageSize(kMaxMessageBytes);
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);  // else two daemons would share a port without a word
  builder.RegisterService(&service);
  std::vector<int> ports(addresses.size(), 0);
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    check_address(addresses[i]);
    builder.AddListeningPort(addresses[i], grpc::InsecureServerCredentials(), &ports[i]);
  }
  auto server = builder.BuildAndStart();
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    if (server == nullptr || ports[i] == 0) {
      throw Error(
          Code::unavailable,
          fmt::format("cannot listen on {}: the address is in use, not of this machine, or not allowed", addresses[i]));
    }
    spdlog::info("listening on {}", addresses[i]);
  }
  return server;
}

void set_serving(grpc::Server& server, bool serving) {
  auto* health = server.GetHealthCheckService();
  if (health == nullptr) return;
  health->SetServingStatus(serving);
  health->SetServingStatus("cuzk.v1.ProvingEngine", serving);
}

/// Waits for the first signal, then until every job has ended or the second one comes.
void serve_until_signal(grpc::Server& server, engine::Engine& engine, const Signals& signals) {
  const int first = signals.wait();
  spdlog::info("signal {}: draining, a second one stops at once", first);
  set_serving(server, false);
  std::stop_source hurry;
  const std::jthread second([&](const std::stop_token& stop) {
    if (signals.wait(stop) == 0) return;
    spdlog::warn("second signal: jobs that have not ended are cancelled");
    hurry.request_stop();
  });
  engine.drain(hurry.get_token());
  if (hurry.stop_requested()) engine.stop();
}

void warn_of_unused_keys(const Config& config) {
  for (const auto& key : config.unused) spdlog::warn("configuration: {} has no effect in this version", key);
}

}  // namespace

void run_daemon(const Config& config, const Backend& backend, const Signals& signals) {
  warn_of_unused_keys(config);
  keys::KeyStore keys(config.param_cache, backend.key_names, backend.prover);
  engine::Engine engine(backend.decoder, keys, backend.prover, config.engine);
  ProvingService service(engine, keys, backend.prover);
  const auto server = start_server(config.listen, service);
  set_serving(*server, true);
  spdlog::info("keys from {}, proving on {}", config.param_cache.string(), backend.prover.device().name);
  for (const auto& circuit_id : config.preload) service.preload(circuit_id);
  serve_until_signal(*server, engine, signals);
  service.stop_loading();
  server->Shutdown(std::chrono::system_clock::now() + kAnswersGetOut);
  server->Wait();
  spdlog::info("stopped");
}

}  // namespace cuzk::server
