#include "engine/device_lanes.h"

#include <utility>

#include "base/error.h"

namespace cuzk::engine {

namespace {

/// One proves while another makes its witness; more would only hold memory.
constexpr u32 kLanesOfKind = 2;

/// So that a kind whose proofs come to no end leaves one to the others.
constexpr u32 kLanes = kLanesOfKind + 1;

/// Keys above it take turns at being read.
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
      turn_(stuck_after),
      loading_(stuck_after) {
  for (u32 lane = 0; lane < spec_.lanes + spec_.urgent_lanes; ++lane) lanes_.push_back(std::make_unique<TaskThread>());
}

void DeviceLanes::run(u32 lane, std::function<void()> work) {
  lanes_[lane]->add([work = std::move(work)](const std::stop_token&) { work(); });
}

void DeviceLanes::run_with_key(const std::string& circuit_id, TaskThread::Task work) {
  TaskThread* thread = nullptr;
  {
    const std::lock_guard lock(keys_mutex_);
    thread = &key_threads_[circuit_id];  // stays where it is
  }
  thread->add(std::move(work));
}

std::optional<Turn::Held> DeviceLanes::take_loading_turn(const std::string& circuit_id, const std::stop_token& stop) {
  if (keys_.memory_needed(circuit_id) <= kSmallKey) return std::nullopt;
  return loading_.take(stop);
}

std::optional<Turn::Held> DeviceLanes::take_turn(u32 lane, const std::stop_token& stop) {
  if (lane >= spec_.lanes) return std::nullopt;
  return turn_.take(stop);
}

}  // namespace cuzk::engine
