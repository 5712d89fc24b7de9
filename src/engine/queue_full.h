/// A job that is not taken because too much waits already: who asks again after a while may be luckier.
#pragma once

#include <chrono>
#include <string>

#include "base/error.h"

namespace cuzk::engine {

class QueueFull : public Error {
 public:
  QueueFull(const std::string& message, std::chrono::milliseconds retry_after)
      : Error(Code::resource_exhausted, message), retry_after_(retry_after) {}

  /// About as long as it takes until one of those that wait has ended.
  std::chrono::milliseconds retry_after() const { return retry_after_; }

 private:
  std::chrono::milliseconds retry_after_;
};

}  // namespace cuzk::engine
