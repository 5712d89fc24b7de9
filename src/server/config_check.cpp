#include "server/config_check.h"

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <functional>
#include <memory>

#include "base/error.h"
#include "farm/farm.h"
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

bool may(const std::filesystem::path& path, int what) { return access(path.c_str(), what) == 0; }

/// The directory, or where it does not exist the first above it that does.
std::filesystem::path existing_part(std::filesystem::path directory) {
  if (directory.is_relative()) directory = std::filesystem::current_path() / directory;
  while (!std::filesystem::exists(directory) && directory.has_relative_path()) directory = directory.parent_path();
  return directory;
}

/// A directory that is made where it does not exist, and written to.
std::string check_writable(std::string_view key, const std::filesystem::path& directory) {
  const auto existing = existing_part(directory);
  if (!std::filesystem::is_directory(existing))
    throw Error(Code::unavailable, fmt::format("{}: {} is no directory", key, existing.string()));
  if (!may(existing, W_OK | X_OK)) {
    throw Error(Code::unavailable, fmt::format("{}: this user may not write to {}", key, existing.string()));
  }
  const bool is_there = existing == directory;
  return fmt::format("{}: {}{}", key, directory.string(), is_there ? "" : ", which will be made");
}

/// Without it the daemon works, only slower at the next start.
void check_cache(std::vector<Finding>& findings, std::string_view key, const std::string& directory) {
  if (directory == "off") return;
  add(findings, [&] { return check_writable(key, directory); });
  if (findings.back().level == Level::fail) findings.back().level = Level::warn;
}

void check_farm(std::vector<Finding>& findings, const Config& config) {
  add(findings, [&] { return fmt::format("farm: {}", farm::check_database(config.farm)); });
  if (config.farm.objects.empty()) {
    findings.push_back({Level::warn, fmt::format("farm.objects: none, inputs above farm.inline_input ({}) are refused",
                                                 size_text(config.farm.inline_input))});
  } else {
    add(findings, [&] { return check_writable("farm.objects", config.farm.objects); });
  }
  if (!config.journal.empty())
    findings.push_back({Level::warn, "jobs.journal: not used, the farm's database keeps the jobs"});
}

void check_directories(std::vector<Finding>& findings, const Config& config) {
  if (config.farm.is_on()) {
    check_farm(findings, config);
  } else if (config.journal.empty()) {
    findings.push_back({Level::warn, "jobs.journal: none, jobs are gone with the process"});
  } else {
    add(findings, [&] { return check_writable("jobs.journal", config.journal); });
  }
  check_cache(findings, "srs.digests", config.digests.text());
  check_cache(findings, "circuits.cache", config.circuits.text());
}

void check_devices(std::vector<Finding>& findings, const DeviceLines& devices) {
  try {
    for (auto& line : devices()) findings.push_back({Level::ok, "proves on " + std::move(line)});
  } catch (const std::exception& error) {
    findings.push_back({Level::fail, error.what()});
  }
}

void check_keys(std::vector<Finding>& findings, const Config& config, const keys::KeyNames& names) {
  if (!std::filesystem::is_directory(config.param_cache)) {
    findings.push_back({Level::warn, fmt::format("srs.param_cache: there is no directory {}: every proof would fail",
                                                 config.param_cache.string())});
    return;
  }
  if (!may(config.param_cache, R_OK | X_OK)) {
    findings.push_back({Level::warn, fmt::format("srs.param_cache: this user may not read {}: every proof would fail",
                                                 config.param_cache.string())});
    return;
  }
  findings.push_back({Level::ok, "keys from " + config.param_cache.string()});
  for (const auto& circuit : config.preload) {
    const auto file = config.param_cache / names(circuit).params;
    const bool is_there = std::filesystem::exists(file);
    if (is_there && may(file, R_OK)) continue;
    const char* what = is_there ? "this user may not read" : "there is no";
    findings.push_back({Level::warn, fmt::format("srs.preload: {}: {} {}", circuit, what, file.string())});
  }
}

}  // namespace

std::vector<Finding> check_machine(const Config& config, const keys::KeyNames& key_names, const DeviceLines& devices) {
  std::vector<Finding> findings;
  add(findings, [&] {
    check_access(config);
    return std::string(config.insecure ? "access: daemon.insecure permits what is missing" : "access is restricted");
  });
  for (const auto* addresses : {&config.listen, &config.status_listen})
    for (const auto& address : *addresses) add(findings, [&] { return check_address(address, config.socket); });
  check_certificate(findings, config.tls);
  if (!config.tls.client_crls.empty()) {
    add(findings, [&] { return "revoked certificates: " + describe_revoked(config.tls.client_crls); });
  }
  if (!config.tls.token_file.empty()) {
    add(findings, [&] { return fmt::format("tokens: {}", BearerTokens(config.tls.token_file).reload()); });
  }
  check_secret(findings, config.tls.key);
  check_secret(findings, config.tls.token_file);
  check_directories(findings, config);
  check_keys(findings, config, key_names);
  check_devices(findings, devices);
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
