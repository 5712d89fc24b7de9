#include "server/config_check.h"

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <functional>
#include <memory>

#include "base/error.h"
#include "server/bearer_tokens.h"
#include "server/config_keys.h"
#include "server/listeners.h"
#include "server/socket_file.h"
#include "server/tls_files.h"

namespace cuzk::server {

namespace {

using Level = Finding::Level;

constexpr int kDaysToRenew = 14;

/// Runs `look`, which gives what is well or throws.
void add(std::vector<Finding>& findings, const std::function<std::string()>& look) {
  try {
    findings.push_back({Level::ok, look()});
  } catch (const std::exception& error) {
    findings.push_back({Level::fail, error.what()});
  }
}

/// Binds and lets go again.
void try_bind(const std::string& address) {
  const auto [host, port] = host_and_port(address);
  addrinfo hints{}, *found = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  if (const int status = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found); status != 0) {
    throw Error(Code::unavailable, fmt::format("cannot listen on {}: {}", address, gai_strerror(status)));
  }
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, freeaddrinfo);
  const int descriptor = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int yes = 1;
  setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  const int status = bind(descriptor, found->ai_addr, found->ai_addrlen);
  const int error = errno;
  close(descriptor);
  if (status != 0) {
    throw Error(Code::unavailable, fmt::format("cannot listen on {}: {}", address, std::strerror(error)));
  }
}

std::string check_address(const std::string& address, const SocketAccess& access) {
  if (is_unix(address)) {
    check_socket(address, access);
  } else {
    try_bind(address);
  }
  return "can listen on " + address;
}

void check_certificate(std::vector<Finding>& findings, const TlsFiles& tls) {
  if (tls.certificate.empty()) return;
  add(findings, [&] { return "certificate: " + describe_certificate(tls.certificate); });
  if (findings.back().level == Level::fail) return;
  const int days = days_left(tls.certificate);
  if (days < kDaysToRenew) {
    findings.push_back({days < 0 ? Level::fail : Level::warn,
                        fmt::format("{}: {} days until it is no longer valid", tls.certificate.string(), days)});
  }
}

void check_secret(std::vector<Finding>& findings, const std::filesystem::path& file) {
  namespace fs = std::filesystem;
  std::error_code error;
  const auto permissions = fs::status(file, error).permissions();
  if (file.empty() || error || (permissions & fs::perms::others_read) == fs::perms::none) return;
  findings.push_back({Level::warn, file.string() + ": everyone on this machine can read it"});
}

void check_keys(std::vector<Finding>& findings, const Config& config, const keys::KeyNames& names) {
  if (!std::filesystem::is_directory(config.param_cache)) {
    findings.push_back({Level::warn, fmt::format("srs.param_cache: there is no directory {}: every proof would fail",
                                                 config.param_cache.string())});
    return;
  }
  findings.push_back({Level::ok, "keys from " + config.param_cache.string()});
  for (const auto& circuit : config.preload) {
    const auto file = config.param_cache / names(circuit).params;
    if (!std::filesystem::exists(file))
      findings.push_back({Level::warn, fmt::format("srs.preload: {}: there is no {}", circuit, file.string())});
  }
}

}  // namespace

std::vector<Finding> check_machine(const Config& config, const keys::KeyNames& key_names) {
  std::vector<Finding> findings;
  add(findings, [&] {
    check_access(config);
    return std::string(config.insecure ? "access: daemon.insecure permits what is missing" : "access is restricted");
  });
  for (const auto* addresses : {&config.listen, &config.status_listen})
    for (const auto& address : *addresses) add(findings, [&] { return check_address(address, config.socket); });
  check_certificate(findings, config.tls);
  if (!config.tls.token_file.empty()) {
    add(findings, [&] { return fmt::format("tokens: {}", BearerTokens(config.tls.token_file).reload()); });
  }
  check_secret(findings, config.tls.key);
  check_secret(findings, config.tls.token_file);
  check_keys(findings, config, key_names);
  for (const auto& key : config.unused) findings.push_back({Level::warn, key + " has no effect in this version"});
  return findings;
}

std::string effective_config(const Config& config) {
  std::string text, section;
  for (const auto& key : config_keys()) {
    if (!key.show) continue;
    const auto dot = key.name.find('.');
    const std::string own = key.name.substr(0, dot);
    if (own != section) text += fmt::format("{}[{}]\n", section.empty() ? "" : "\n", own);
    section = own;
    text += fmt::format("{} = {}\n", key.name.substr(dot + 1), key.show(config));
  }
  return text;
}

}  // namespace cuzk::server
