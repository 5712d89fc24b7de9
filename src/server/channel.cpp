#include "server/channel.h"

#include <grpcpp/grpcpp.h>

#include <sstream>

#include "base/error.h"
#include "base/whole_file.h"
#include "server/address.h"
#include "server/wire.h"

namespace cuzk::server {

namespace {

/// The whole file; nothing where no file is meant.
std::string credential_text(const std::filesystem::path& file) {
  if (file.empty()) return "";
  const auto bytes = read_whole_file(file);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The first line that is neither empty nor a comment.
std::string first_token(const std::filesystem::path& file) {
  std::istringstream lines(credential_text(file));
  for (std::string line; lines >> line;) {
    if (line.front() != '#') return line;
    std::getline(lines, line);
  }
  throw invalid_input("{}: there is no token in it", file.string());
}

bool has_tls(const Connection& connection) {
  return !(connection.ca.empty() && connection.certificate.empty() && connection.token_file.empty());
}

std::shared_ptr<grpc::ChannelCredentials> tls_credentials(const Connection& connection) {
  if (is_unix(connection.address)) {
    throw invalid_input("address '{}': certificates and tokens are for TCP alone", connection.address);
  }
  if (connection.certificate.empty() != connection.key.empty()) {
    throw invalid_input("a client's certificate and its key: one is of no use without the other");
  }
  grpc::SslCredentialsOptions files;
  files.pem_root_certs = credential_text(connection.ca);  // none: those of the system
  files.pem_cert_chain = credential_text(connection.certificate);
  files.pem_private_key = credential_text(connection.key);
  auto tls = grpc::SslCredentials(files);
  if (connection.token_file.empty()) return tls;
  return grpc::CompositeChannelCredentials(tls, grpc::AccessTokenCredentials(first_token(connection.token_file)));
}

}  // namespace

std::shared_ptr<grpc::Channel> open_channel(const Connection& connection, Sharing sharing) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(kMaxMessageBytes);
  arguments.SetMaxSendMessageSize(kMaxMessageBytes);
  if (sharing == Sharing::own) arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return grpc::CreateCustomChannel(
      connection.address, has_tls(connection) ? tls_credentials(connection) : grpc::InsecureChannelCredentials(),
      arguments);
}

}  // namespace cuzk::server
