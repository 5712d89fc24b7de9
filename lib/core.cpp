#include "core.h"

#include "base/log.h"
#include "server/config.h"

namespace cuzk::lib {

namespace {

/// A library is quiet, and leaves a service's directory of state to the service.
server::Config defaults() {
  server::Config config;
  config.log.level = spdlog::level::warn;
  config.journal.clear();
  return config;
}

server::Config read_config(std::string_view toml) {
  auto config = server::parse_config(toml, "configuration", defaults());
  if (config.farm.is_on())
    throw invalid_input("farm.postgres: a farm is of daemons, an engine in process takes no part");
  configure_log(config.log);
  return config;
}

server::Backend backend_of(const engine::StatementDecoder& decoder, const apps::LastingProvers& provers) {
  server::Backend backend{decoder, engine::key_file_names, {}, provers.spare.get()};
  for (const auto& prover : provers.devices) backend.provers.push_back(prover.get());
  return backend;
}

}  // namespace

Works::Works(std::string_view toml)
    : config_(read_config(toml)),
      pool_(config_.threads),
      circuits_(config_.circuits),
      decoder_(circuits_),
      provers_(apps::make_lasting_provers(config_.devices, config_.gpu_memory.value_or(0), pool_)),
      backend_(backend_of(decoder_, provers_)),
      host_(config_, backend_) {
  loader_.add([this](const std::stop_token& stop) { host_.preload(stop); });
}

void Core::close() {
  works_->engine().stop();
  std::unique_lock lock(mutex_);
  closed_ = true;
  unused_.wait(lock, [this] { return users_ == 0; });
  works_.reset();
}

Core::User::User(Core& core) : core_(core) {
  const std::lock_guard lock(core.mutex_);
  if (core.closed_) throw Error(Code::unavailable, "the engine has ended");
  ++core.users_;
}

Core::User::~User() {
  const std::lock_guard lock(core_.mutex_);
  if (--core_.users_ == 0) core_.unused_.notify_all();
}

}  // namespace cuzk::lib
