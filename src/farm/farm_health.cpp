#include "farm/farm_health.h"

#include "base/random.h"

namespace cuzk::farm {

std::chrono::milliseconds Backoff::next() {
  const auto wait = wait_;
  wait_ = std::min(most_, 2 * wait_);
  return wait - wait * random_bytes<1>()[0] / 512;
}

}  // namespace cuzk::farm
