// The daemon's small files, made of random values: what is written can be read.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <fstream>

#include "apps/process.h"
#include "server/bearer_tokens.h"
#include "server/config_check.h"
#include "server/config_keys.h"

namespace cuzk::server {
namespace {

using std::chrono::milliseconds;

/// A path, a name: any ASCII characters but NUL, and one that takes two bytes.
std::string any_text() {
  const auto text = *rc::gen::container<std::string>(rc::gen::inRange<char>(1, 127));
  return text + *rc::gen::element<std::string>("", "\x7f", "\u00e4");
}

u64 any_number() { return *rc::gen::inRange<u64>(0, u64{1} << 63); }  // of TOML, whose numbers have a sign

milliseconds any_time(u64 limit = u64{1} << 40) { return milliseconds(*rc::gen::inRange<u64>(1000, limit)); }

std::vector<std::string> any_addresses() {
  return *rc::gen::container<std::vector<std::string>>(
      rc::gen::element<std::string>("unix:///run/a.sock", "unix:///tmp/b c", "[::1]:80", "localhost:9820"));
}

spdlog::level::level_enum any_level() {
  return log_level(*rc::gen::element<std::string>("trace", "debug", "info", "warn", "error", "off"));
}

LogSettings any_log() {
  LogSettings log;
  log.level = any_level();
  log.format = *rc::gen::element(LogFormat::text, LogFormat::json, LogFormat::journald);
  for (const auto module : {LogModule::engine, LogModule::keys, LogModule::cuda, LogModule::rpc})
    if (*rc::gen::arbitrary<bool>()) log.modules[module] = any_level();
  return log;
}

TlsFiles any_tls() {
  TlsFiles tls;
  for (auto* const file : {&tls.certificate, &tls.key, &tls.client_ca, &tls.client_crls, &tls.token_file})
    *file = any_text();
  tls.reload_interval = any_time();
  return tls;
}

Transport any_transport() { return {*rc::gen::inRange<u64>(1 << 20, INT_MAX), any_time(), any_time()}; }

engine::EngineOptions any_engine() {
  engine::EngineOptions options;
  for (u64* const number : {&options.max_queued_bytes, &options.retention.bytes}) *number = *rc::gen::arbitrary<u64>();
  options.max_queued = any_number();
  options.retention.jobs = any_number();
  options.retention.age = std::chrono::seconds(*rc::gen::inRange<i64>(0, i64{1} << 40));
  options.policy.max_batch_size = *rc::gen::inRange<u32>(1, 1025);
  options.policy.max_batch_wait = milliseconds(*rc::gen::inRange(0, 86'400'001));
  options.policy.key_order = *rc::gen::element(engine::KeyOrder::by_type, engine::KeyOrder::by_rank);
  return options;
}

Config any_config() {
  Config config;
  config.status_listen = any_addresses();
  if (const auto addresses = any_addresses(); !addresses.empty()) config.listen = addresses;
  config.status_public = *rc::gen::arbitrary<bool>();
  config.insecure = *rc::gen::arbitrary<bool>();
  config.socket = {*rc::gen::inRange<mode_t>(0, 01000), any_text(), any_text()};
  config.tls = any_tls();
  config.transport = any_transport();
  config.param_cache = any_text();
  config.digests = keys::digest_memory(*rc::gen::element<std::string>("off", "/var/cache/digests"));
  config.preload = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>("porep-2k", "snap-64g"));
  config.circuits = engine::circuit_cache(*rc::gen::element<std::string>("off", "/var/cache/circuits"));
  config.threads = *rc::gen::inRange(0u, 4097u);
  config.log = any_log();
  config.engine = any_engine();
  config.journal = any_text();
  if (*rc::gen::arbitrary<bool>()) config.memory_budget = *rc::gen::arbitrary<u64>();
  config.memory_margin = *rc::gen::arbitrary<u64>();
  return config;
}

void expect_same_access(const Config& a, const Config& b) {
  RC_ASSERT(a.listen == b.listen && a.status_listen == b.status_listen);
  RC_ASSERT(a.status_public == b.status_public && a.insecure == b.insecure);
  RC_ASSERT(a.socket.mode == b.socket.mode && a.socket.owner == b.socket.owner && a.socket.group == b.socket.group);
  RC_ASSERT(a.tls.certificate == b.tls.certificate && a.tls.key == b.tls.key);
  RC_ASSERT(a.tls.client_ca == b.tls.client_ca && a.tls.token_file == b.tls.token_file);
  RC_ASSERT(a.tls.client_crls == b.tls.client_crls);
  RC_ASSERT(a.tls.reload_interval == b.tls.reload_interval);
  RC_ASSERT(a.transport.max_message_bytes == b.transport.max_message_bytes);
  RC_ASSERT(a.transport.keepalive_time == b.transport.keepalive_time);
  RC_ASSERT(a.transport.keepalive_timeout == b.transport.keepalive_timeout);
}

void expect_same_jobs(const engine::EngineOptions& a, const engine::EngineOptions& b) {
  RC_ASSERT(a.max_queued == b.max_queued && a.max_queued_bytes == b.max_queued_bytes);
  RC_ASSERT(a.retention.jobs == b.retention.jobs && a.retention.bytes == b.retention.bytes);
  RC_ASSERT(a.retention.age == b.retention.age);
  RC_ASSERT(a.policy.max_batch_size == b.policy.max_batch_size);
  RC_ASSERT(a.policy.max_batch_wait == b.policy.max_batch_wait && a.policy.key_order == b.policy.key_order);
}

RC_GTEST_PROP(RoundTrip, ConfigurationThroughToml, ()) {
  const Config config = any_config();
  const Config read = parse_config(effective_config(config), "shown");
  expect_same_access(read, config);
  expect_same_jobs(read.engine, config.engine);
  RC_ASSERT(read.param_cache == config.param_cache && read.preload == config.preload);
  RC_ASSERT(read.threads == config.threads && read.journal == config.journal);
  RC_ASSERT(read.log.level == config.log.level && read.log.format == config.log.format);
  RC_ASSERT(read.log.modules == config.log.modules);
  RC_ASSERT(read.memory_budget == config.memory_budget && read.memory_margin == config.memory_margin);
  RC_ASSERT(differences(read, config).empty() && read.unused.empty());
}

RC_GTEST_PROP(RoundTrip, SizesAndTimesThroughText, (u64 size)) {
  RC_ASSERT(parse_size(size_text(size)) == size);
  const milliseconds time(static_cast<i64>(size >> 2));
  RC_ASSERT(parse_duration(duration_text(time)) == time);
}

/// Sixteen characters or more, no space; the first begins no comment.
std::string any_token() {
  const auto characters = rc::gen::inRange<char>('!', 127);
  const auto rest = *rc::gen::container<std::string>(characters);
  return *rc::gen::suchThat(characters, [](char c) { return c != '#'; }) + std::string(15, 'x') + rest;
}

/// A line of the file, with what may stand around a token.
std::string any_line(const std::string& token) {
  const auto before = *rc::gen::element<std::string>("", "\n", "# a comment\n", "#\r\n");
  return before + token + *rc::gen::element<std::string>("\n", "\r\n", "  \n");
}

RC_GTEST_PROP(RoundTrip, TokensThroughTheirFile, ()) {
  const auto tokens = *rc::gen::exec([] {
    std::vector<std::string> made;
    for (auto left = *rc::gen::inRange(1, 6); left > 0; --left) made.push_back(any_token());
    return made;
  });
  std::string text;
  for (const auto& token : tokens) text += any_line(token);
  const test::TemporaryFolder folder;
  std::ofstream(folder / "tokens", std::ios::binary) << text;
  BearerTokens read(folder / "tokens");
  RC_ASSERT(read.reload() == tokens.size());
  for (const auto& token : tokens) {
    RC_ASSERT(read.accepts("Bearer " + token));
    RC_ASSERT(!read.accepts("Bearer " + token + " "));  // no token holds a space
  }
}

}  // namespace
}  // namespace cuzk::server
