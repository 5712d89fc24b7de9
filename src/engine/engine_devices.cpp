// The engine's devices: what becomes of one that is lost, and the keys that they hold.

#include <algorithm>
#include <exception>
#include <numeric>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/log.h"
#include "engine/engine.h"
#include "engine/engine_batch.h"

namespace cuzk::engine {

namespace {

using keys::KeyStore;

u64 bytes_of_keys(const DeviceLanes& device) {
  const auto keys = device.keys().status();
  return std::accumulate(keys.begin(), keys.end(), u64{0}, [](u64 sum, const auto& key) { return sum + key.bytes; });
}

}  // namespace

/// Those that the scheduler has. Under the mutex.
std::vector<DeviceLanes*> Engine::active_devices() const {
  std::vector<DeviceLanes*> result;
  for (const auto& each : devices_)
    if (each->state() == DeviceLanes::State::active) result.push_back(each.get());
  return result;
}

/// Those that the scheduler has or may get.
std::vector<DeviceId> Engine::usable_devices() const {
  const std::lock_guard lock(mutex_);
  std::vector<DeviceId> result;
  for (const auto& each : devices_)
    if (each->state() != DeviceLanes::State::lost) result.push_back(each->id());
  return result;
}

/// The device proves no more, what ran there runs elsewhere. False where no other one could go on.
bool Engine::lose(DeviceLanes& device, const std::string& why) {
  using State = DeviceLanes::State;
  bool goes_on = true;
  change([&](After& after) {
    if (device.state() == State::lost) return;  // told by another lane
    const auto spare =
        std::find_if(devices_.begin(), devices_.end(), [](const auto& each) { return each->state() == State::spare; });
    const bool is_last = active_devices().size() == 1;
    goes_on = !is_last || spare != devices_.end();
    if (!goes_on) return;
    logger(LogModule::engine).error("{} is lost ({}): its proofs are made again by the others", device.name(), why);
    device.set_state(State::lost);
    lane_history_.lose(device.id(), Clock::now());
    for (const auto& [id, batch] : batches_) {
      if (batch->device != &device) continue;
      batch->is_lost = true;
      for (auto& item : batch->items) item.stop.request_stop();
      for (const auto& item : std::span(batch->items).subspan(batch->current))
        item.job->progress.set(item.partition, PartitionView::State::pending);
    }
    std::erase_if(batches_, [](const auto& entry) { return entry.second->is_lost; });
    std::erase_if(keys_loading_, [&](const auto& entry) { return entry.first == device.id(); });
    if (is_last) {
      (*spare)->set_state(State::active);
      logger(LogModule::engine).error("no other device is left: proofs go on with {}", (*spare)->name());
      tell_scheduler(DeviceAdded{(*spare)->spec()}, after);
    }
    tell_scheduler(DeviceLost{device.id()}, after);
  });
  return goes_on;
}

void Engine::load_key(DeviceLanes& device, const std::string& circuit_id, std::stop_token stop) {
  const auto begin = Clock::now();
  groth16::Control control;
  control.stop = std::move(stop);
  std::optional<Failure> failure;
  std::optional<Lane> lane;
  try {
    const auto turn = device.take_loading_turn(circuit_id, control.stop);
    lane = lane_history_.begin_in_free(Lane::Role::keys, device.id(), LaneSpan::Stage::key, circuit_id, Clock::now());
    device.keys().load(circuit_id, control);
  } catch (...) {
    failure = current_failure();
  }
  if (lane) lane_history_.end(*lane, failure ? LaneSpan::End::dropped : LaneSpan::End::done, Clock::now());
  if (failure && failure->code == Code::device_lost && lose(device, failure->message)) return;
  change([&](After& after) {
    keys_loading_.erase({device.id(), circuit_id});
    for (const auto& [ticket, job] : tickets_) {
      if (job->state == JobState::queued && job->work->circuit_id() == circuit_id) {
        job->trace.add("key", std::nullopt, begin, Clock::now());
      }
    }
    if (failure) {
      key_failures_[{device.id(), circuit_id}] = *failure;
      using Cause = KeyLoadFailed::Cause;
      const auto cause = failure->code == Code::resource_exhausted ? Cause::room : Cause::key;
      tell_scheduler(KeyLoadFailed{device.id(), circuit_id, failure->message, cause}, after);
    } else {
      key_failures_.erase({device.id(), circuit_id});
      tell_scheduler(KeyLoaded{device.id(), circuit_id}, after);
    }
  });
}

void Engine::free_key(DeviceLanes& device, const std::string& circuit_id) {
  try {
    if (const auto bytes = device.keys().evict(circuit_id))
      logger(LogModule::engine).info("key of {} freed on {}: {} bytes", circuit_id, device.name(), *bytes);
  } catch (const Error& error) {
    logger(LogModule::engine).error("{}", error.what());  // its memory is counted as free all the same
  }
  change([&](After& after) { tell_scheduler(KeyEvicted{device.id(), circuit_id}, after); });
}

/// A job waits for it: where no device has it or loads it, its file is read ahead of that. Under the mutex.
void Engine::expect_key(const std::string& circuit_id, After& after) {
  const auto devices = active_devices();
  const auto has = [&](const auto* each) {
    return keys_loading_.contains({each->id(), circuit_id}) || each->keys().has(circuit_id);
  };
  if (devices.empty() || std::any_of(devices.begin(), devices.end(), has)) return;
  after.push_back([store = &devices.front()->keys(), circuit_id] { store->expect(circuit_id); });
}

const Failure* Engine::key_failure(const DeviceLanes& device, const std::string& circuit_id) const {
  const auto found = key_failures_.find({device.id(), circuit_id});
  return found == key_failures_.end() ? nullptr : &found->second;
}

/// Asks for a key; false when the device has it already.
bool Engine::want(DeviceLanes& device, const std::string& circuit_id) {
  if (device.keys().has(circuit_id)) return false;
  const auto bytes = device.keys().memory_needed(circuit_id);
  change([&](After& after) {
    key_failures_.erase({device.id(), circuit_id});
    tell_scheduler(KeyWanted{device.id(), circuit_id, bytes, KeyWanted::Use::ordinary}, after);
  });
  return true;
}

/// Whether the device has a key that it was asked for, once that is known.
bool Engine::await_key(DeviceLanes& device, const std::string& circuit_id, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const auto has = [&] { return device.keys().has(circuit_id); };
  const auto is_lost = [&] { return device.state() == DeviceLanes::State::lost; };
  changed_.wait(lock, stop, [&] { return stopped_ || has() || is_lost() || key_failure(device, circuit_id); });
  if (has()) return true;
  if (is_lost() || key_failure(device, circuit_id) != nullptr) return false;
  throw Error(Code::cancelled, fmt::format("loading the key of {}: cancelled", circuit_id));
}

KeyStore::Loaded::Source Engine::preload(const std::string& circuit_id, Copies copies, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  auto devices = active_devices();
  lock.unlock();
  std::stable_sort(devices.begin(), devices.end(),
                   [](const auto* a, const auto* b) { return bytes_of_keys(*a) < bytes_of_keys(*b); });
  const auto has = [&](const auto* each) { return each->keys().has(circuit_id); };
  const bool was_somewhere = std::any_of(devices.begin(), devices.end(), has);
  if (copies == Copies::one && was_somewhere) return KeyStore::Loaded::Source::store;
  std::vector<DeviceLanes*> asked;
  bool is_loaded = false;
  for (auto* each : devices) {
    if (!want(*each, circuit_id)) continue;
    asked.push_back(each);
    if (copies == Copies::one && await_key(*each, circuit_id, stop)) return KeyStore::Loaded::Source::file;
  }
  for (auto* each : asked) is_loaded = await_key(*each, circuit_id, stop) || is_loaded;
  if (is_loaded) return KeyStore::Loaded::Source::file;
  if (was_somewhere) return KeyStore::Loaded::Source::store;
  lock.lock();
  const Failure* why = asked.empty() ? nullptr : key_failure(*asked.front(), circuit_id);
  if (why != nullptr) throw Error(why->code, why->message);
  throw Error(Code::device_lost, fmt::format("the key of {} cannot be loaded: its device is lost", circuit_id));
}

std::optional<u64> Engine::evict(const std::string& circuit_id, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const auto devices = active_devices();
  lock.unlock();
  std::optional<u64> freed;
  std::exception_ptr refused;
  for (auto* each : devices) {
    try {
      if (const auto bytes = evict(*each, circuit_id, stop)) freed = freed.value_or(0) + *bytes;
    } catch (const Error& error) {
      if (error.code() != Code::unavailable) throw;
      refused = std::current_exception();
    }
  }
  if (!freed && refused != nullptr) std::rethrow_exception(refused);
  return freed;
}

std::optional<u64> Engine::evict(DeviceLanes& device, const std::string& circuit_id, const std::stop_token& stop) {
  const auto bytes = device.keys().loaded_bytes(circuit_id);  // throws for an id that does not exist
  if (!bytes) return std::nullopt;
  change([&](After& after) {
    key_failures_.erase({device.id(), circuit_id});
    tell_scheduler(KeyUnwanted{device.id(), circuit_id}, after);
  });
  std::unique_lock lock(mutex_);
  const auto is_over = [&] {
    return stopped_ || device.state() == DeviceLanes::State::lost || !device.keys().has(circuit_id) ||
           key_failure(device, circuit_id) != nullptr;
  };
  if (!changed_.wait(lock, stop, is_over)) {
    throw Error(Code::cancelled, fmt::format("freeing the key of {}: cancelled", circuit_id));
  }
  if (const Failure* why = key_failure(device, circuit_id)) {
    throw Error(why->code, fmt::format("key of {}: {}", circuit_id, why->message));
  }
  return bytes;
}

}  // namespace cuzk::engine
