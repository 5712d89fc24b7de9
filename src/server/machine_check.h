/// What `cuzk doctor` finds on a machine, as the daemon tells it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/types.h"

namespace cuzk::server {

struct MachineCheck {
  enum class State : u8 { ok, warn, fail };

  std::string name;  ///< such as "cpu.path"
  State state = State::ok;
  std::string value;   ///< what is there
  std::string advice;  ///< what to do; empty where all is well
};

/// Looks again at each call; milliseconds of processor time.
using ExamineMachine = std::function<std::vector<MachineCheck>()>;

}  // namespace cuzk::server
