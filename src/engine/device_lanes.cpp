#include "engine/device_lanes.h"

#include <utility>

#include "base/error.h"

namespace cuzk::engine {

namespace {

/// One proves while another makes its witness; more would only hold memory.
constexpr u32 kLanesOfKind = 2;

/// So that a kind whose proofs come to no end leaves one to the others.
constexpr u32 kLanes = kLanesOfKind + 1;

/// Keys above it are read by a thread of their own.
constexpr std::size_t kSmallKey = std::size_t{2} << 30;

constexpr groth16::DeviceMemory kWithoutEnd{u64{1} << 50, u64{1} << 49};

DeviceSpec spec_of(DeviceId id, const EngineDevice& device) {
  const auto told = device.memory ? device.memory : device.prover.memory();
  const auto memory = told.value_or(kWithoutEnd);
  return {id, memory.total, memory.urgent, kLanes, 1, kLanesOfKind};
}

}  // namespace

DeviceLanes::DeviceLanes(DeviceId id, const EngineDevice& device, Clock::duration stuck_after)
    : prover_(device.prover),
      keys_(device.keys),
      spec_(spec_of(id, device)),
      state_(device.role == EngineDevice::Role::spare ? State::spare : State::active),
      turn_(stuck_after) {
  for (u32 lane = 0; lane < spec_.lanes + spec_.urgent_lanes; ++lane) lanes_.push_back(std::make_unique<TaskThread>());
}

void DeviceLanes::run(u32 lane, std::function<void()> work) {
  lanes_[lane]->add([work = std::move(work)](const std::stop_token&) { work(); });
}

void DeviceLanes::run_with_key(const std::string& circuit_id, TaskThread::Task work) {
  bool is_large = false;
  try {
    is_large = keys_.memory_needed(circuit_id) > kSmallKey;
  } catch (const Error&) {
    // There the error comes again and is told.
  }
  (is_large ? large_keys_ : small_keys_).add(std::move(work));
}

std::optional<Turn::Held> DeviceLanes::take_turn(u32 lane, const std::stop_token& stop) {
  if (lane >= spec_.lanes) return std::nullopt;
  return turn_.take(stop);
}

}  // namespace cuzk::engine
