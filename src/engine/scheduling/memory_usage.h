/// The memory that the scheduler has set aside, for people who look at it.
#pragma once

#include <string>
#include <vector>

#include "engine/scheduling/messages.h"
#include "engine/scheduling/pooled_memory.h"

namespace cuzk::engine {

struct SchedulerState;

/// Bytes of one budget: what is set aside, and what may be.
struct MemoryShare {
  u64 used = 0, limit = 0;
};

struct MemoryOfKey {
  std::string circuit;
  u64 bytes = 0;  ///< 0: it is streamed from the host
  Pool pool = Pool::ordinary;
  enum class State : u8 { loading, resident, evicting } state = State::loading;
  u32 batches = 0;  ///< that use it
};

struct MemoryOfDevice {
  DeviceId device = 0;
  MemoryShare ordinary, urgent;       ///< of keys and proofs together
  u64 proofs = 0, urgent_proofs = 0;  ///< the part of `used` that is of proofs
  std::vector<MemoryOfKey> keys;
};

struct MemoryUsage {
  MemoryShare host, urgent_host;  ///< of witnesses and of what was read of requests
  std::vector<MemoryOfDevice> devices;
};

MemoryUsage memory_usage(const SchedulerState& state);

}  // namespace cuzk::engine
