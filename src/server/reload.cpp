#include "server/reload.h"

#include "base/error.h"
#include "server/config_keys.h"
#include "server/server_log.h"

namespace cuzk::server {

namespace {}  // namespace

void Reload::run() {
  log().info("SIGHUP: reading the configuration again");
  try {
    take(read_again_());
  } catch (const std::exception& error) {
    log().error("the configuration stays as it was: {}", error.what());
  }
  try {
    listeners_.reload();
  } catch (const std::exception& error) {
    log().error("tokens and certificates stay as they were: {}", error.what());
  }
  log().info("the configuration was read again");
}

void Reload::take(const Config& next) {
  for (const auto* key : differences(config_, next)) {
    if (key->change == ConfigKey::Change::at_reload) {
      log().info("{} is now {}", key->name, key->show(next));
    } else {
      log().warn("{} stays {} until a restart, then it is {}", key->name, key->show(config_), key->show(next));
    }
  }
  engine::EngineLimits& limits = config_.engine;
  limits = next.engine;
  engine_.set_limits(limits);
  config_.log = next.log;
  configure_log(config_.log);
}

}  // namespace cuzk::server
