/// How much memory there is for this process, and how much it has: what dashboards show.
#pragma once

#include "base/types.h"

namespace cuzk {

/// Bytes. A limit of the process's control groups (version 2) counts as the machine's end.
struct MachineMemory {
  u64 total = 0;
  u64 used = 0;  ///< resident, of this process
  u64 available = 0;
};

/// What is not known is 0.
MachineMemory machine_memory();

}  // namespace cuzk
