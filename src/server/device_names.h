/// What the name of a device says: "cpu", "cuda:1".
#pragma once

#include <charconv>

#include "base/types.h"
#include "groth16/prover.h"

namespace cuzk::server {

/// Whether the device computes in the host's memory.
inline bool is_processor(const groth16::Device& device) { return device.name.starts_with("cpu"); }

/// The N of "cuda:N"; of another device `number`.
inline u32 ordinal_of(const groth16::Device& device, u32 number) {
  const auto colon = device.name.find(':');
  const char* end = device.name.data() + device.name.size();
  if (colon != std::string::npos) std::from_chars(device.name.data() + colon + 1, end, number);
  return number;
}

}  // namespace cuzk::server
