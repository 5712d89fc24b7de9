/// How a program ends: 0 done, 1 the work failed, 2 wrong use.
#pragma once

#include <stdexcept>
#include <string>

namespace cuzk::apps {

enum ExitStatus : int { kDone = 0, kFailed = 1, kWrongUse = 2 };

/// The command line says something that cannot be; caught in main.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace cuzk::apps
