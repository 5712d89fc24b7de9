#include "server/listeners.h"

#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/security/auth_metadata_processor.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/security/tls_certificate_provider.h>
#include <grpcpp/security/tls_credentials_options.h>

#include <algorithm>

#include "base/error.h"
#include "server/socket_acceptor.h"
#include "server/socket_file.h"
#include "server/tls_files.h"

namespace cuzk::server {

namespace {

bool is_tcp(const std::string& address) { return !is_unix(address); }
bool has_tls(const Config& config) { return !config.tls.certificate.empty(); }
bool has_authentication(const Config& config) {
  return has_tls(config) && !(config.tls.client_ca.empty() && config.tls.token_file.empty());
}

void check_tcp(const Config& config, const std::string& address) {
  if (config.insecure || has_authentication(config)) return;
  if (!has_tls(config)) {
    throw invalid_input(
        "daemon.listen: {} would be TCP without TLS: set tls.certificate and tls.key, and tls.client_ca or "
        "tls.token_file, or listen on a unix socket, or say daemon.insecure = true (--insecure)",
        address);
  }
  throw invalid_input(
      "daemon.listen: whoever reaches {} could use this daemon: set tls.client_ca or tls.token_file, or say "
      "daemon.insecure = true (--insecure)",
      address);
}

/// Asks for a token in every call.
class TokenProcessor final : public grpc::AuthMetadataProcessor {
 public:
  explicit TokenProcessor(std::shared_ptr<const BearerTokens> tokens) : tokens_(std::move(tokens)) {}

  bool IsBlocking() const override { return false; }

  grpc::Status Process(const InputMetadata& metadata, grpc::AuthContext*, OutputMetadata* consumed,
                       OutputMetadata*) override {
    const auto header = metadata.find("authorization");
    if (header == metadata.end())
      return {grpc::StatusCode::UNAUTHENTICATED, "no token: expected authorization: Bearer"};
    const std::string_view value(header->second.data(), header->second.size());
    if (!tokens_->accepts(value)) return {grpc::StatusCode::UNAUTHENTICATED, "the token is not known"};
    consumed->emplace("authorization", std::string(value));
    return grpc::Status::OK;
  }

 private:
  std::shared_ptr<const BearerTokens> tokens_;
};

/// TLS whose files are read again while it serves.
std::shared_ptr<grpc::ServerCredentials> tls_credentials(const TlsFiles& files,
                                                         std::shared_ptr<const BearerTokens> tokens) {
  namespace tls = grpc::experimental;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(files.reload_interval).count();
  const auto provider = std::make_shared<tls::FileWatcherCertificateProvider>(
      files.key.string(), files.certificate.string(), files.client_ca.string(), static_cast<unsigned>(seconds));
  tls::TlsServerCredentialsOptions options(provider);
  options.watch_identity_key_cert_pairs();
  if (!files.client_ca.empty()) {
    options.watch_root_certs();
    options.set_cert_request_type(GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
    if (!files.client_crls.empty()) options.set_crl_directory(files.client_crls.string());
  }
  auto credentials = tls::TlsServerCredentials(options);
  if (tokens != nullptr) credentials->SetAuthMetadataProcessor(std::make_shared<TokenProcessor>(std::move(tokens)));
  return credentials;
}

void warn_of_tcp(const Config& config, const std::string& address) {
  if (has_authentication(config)) return;
  logger(LogModule::server)
      .warn("listening on {} without {}: whoever reaches it can use this daemon", address,
            has_tls(config) ? "authentication" : "encryption or authentication");
}

void set_transport(grpc::ServerBuilder& builder, const Transport& transport) {
  const auto bytes = static_cast<int>(transport.max_message_bytes);
  builder.SetMaxReceiveMessageSize(bytes);
  builder.SetMaxSendMessageSize(bytes);
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);  // else two daemons would share a port without a word
  // A client that has gone without a word is noticed, and one that asks whether we live is not turned away.
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, static_cast<int>(transport.keepalive_time.count()));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, static_cast<int>(transport.keepalive_timeout.count()));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 10'000);
}

/// A server on all addresses of a configuration, whose tcp addresses may ask for tokens.
class Start {
 public:
  Start(const Config& config, const std::shared_ptr<BearerTokens>& tokens)
      : listen_(config.listen),
        plain_(grpc::InsecureServerCredentials()),
        tcp_(has_tls(config) ? tls_credentials(config.tls, tokens) : plain_),
        ports_(config.listen.size(), 0) {
    grpc::EnableDefaultHealthCheckService(true);
    grpc::reflection::InitProtoReflectionServerBuilderPlugin();
    set_transport(builder_, config.transport);
  }

  std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> accept_also(const std::string& address) {
    return builder_.experimental().AddExternalConnectionAcceptor(
        grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD, credentials_of(address));
  }

  std::unique_ptr<grpc::Server> run(grpc::Service& service) {
    builder_.RegisterService(&service);
    for (std::size_t i = 0; i < ports_.size(); ++i)
      builder_.AddListeningPort(listen_[i], credentials_of(listen_[i]), &ports_[i]);
    auto server = builder_.BuildAndStart();
    for (std::size_t i = 0; i < ports_.size(); ++i) {
      if (server != nullptr && ports_[i] != 0) continue;
      throw Error(Code::unavailable, fmt::format("cannot listen on {}: the address is in use, not of this machine, or "
                                                 "not allowed",
                                                 listen_[i]));
    }
    return server;
  }

  /// With the ports that were chosen; once it runs.
  std::vector<std::string> addresses() const {
    std::vector<std::string> result = listen_;
    for (std::size_t i = 0; i < ports_.size(); ++i) {
      if (is_tcp(result[i])) result[i] = fmt::format("{}:{}", result[i].substr(0, result[i].rfind(':')), ports_[i]);
    }
    return result;
  }

 private:
  std::shared_ptr<grpc::ServerCredentials> credentials_of(const std::string& address) const {
    return is_tcp(address) ? tcp_ : plain_;
  }

  const std::vector<std::string> listen_;
  const std::shared_ptr<grpc::ServerCredentials> plain_, tcp_;
  std::vector<int> ports_;
  grpc::ServerBuilder builder_;
};

std::shared_ptr<BearerTokens> tokens_of(const TlsFiles& files) {
  return files.token_file.empty() ? nullptr : std::make_shared<BearerTokens>(files.token_file);
}

}  // namespace

void check_access(const Config& config) {
  check_tls_files(config.tls);
  for (const auto& address : config.listen)
    if (is_tcp(address)) check_tcp(config, address);
  for (const auto& address : config.status_listen) {
    if (is_local(address) || config.status_public || config.insecure) continue;
    throw invalid_input(
        "daemon.status_listen: {} can be reached by other machines, without encryption or authentication: use "
        "127.0.0.1 or a unix socket, or say daemon.status_public = true",
        address);
  }
}

Listeners::Listeners(const Config& config, grpc::Service& service, const InheritedSocket* inherited)
    : tls_(config.tls) {
  check_access(config);
  tokens_ = tokens_of(config.tls);
  auto all = config.listen;
  if (inherited != nullptr) all.push_back(inherited->address());
  for (const auto& address : all) {
    if (!is_tcp(address)) continue;
    check_tcp(config, address);
    warn_of_tcp(config, address);
  }
  for (const auto& address : config.listen)
    if (is_unix(address)) check_socket(address, config.socket);
  Start start(config, tokens_);
  auto connections = inherited == nullptr ? nullptr : start.accept_also(inherited->address());
  {
    const PrivateSockets sockets;
    server_ = start.run(service);
  }
  for (const auto& address : config.listen)
    if (is_unix(address)) open_socket(address, config.socket);
  addresses_ = start.addresses();
  if (inherited != nullptr) {
    addresses_.push_back(inherited->address());
    acceptor_ = std::make_unique<SocketAcceptor>(*inherited, std::move(connections));
  }
  for (const auto& address : addresses_) logger(LogModule::server).info("listening on {}", address);
}

Listeners::~Listeners() = default;

void Listeners::set_health(Health health, const engine::StatementDecoder& decoder) {
  auto* service = server_->GetHealthCheckService();
  if (service == nullptr) return;
  const bool serving = health == Health::serving;
  service->SetServingStatus(serving);
  service->SetServingStatus("cuzk.v1.ProvingEngine", serving);
  for (const auto kind : engine::kKinds) {
    service->SetServingStatus(std::string(name(kind)), serving && decoder.offers(kind));
  }
}

void Listeners::reload() {
  check_tls_files(tls_);
  if (tokens_ != nullptr) logger(LogModule::server).info("tokens read: {}", tokens_->reload());
}

void Listeners::stop(std::chrono::milliseconds patience) {
  acceptor_.reset();
  server_->Shutdown(std::chrono::system_clock::now() + patience);
  server_->Wait();
}

}  // namespace cuzk::server
