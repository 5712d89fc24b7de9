/// One device of the engine: its prover, its keys, the threads of its lanes, and whose turn it is to prove.
///
/// Threads: any may call any function. What runs in a lane or beside a key ends before the device does.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/task_thread.h"
#include "engine/job.h"
#include "engine/scheduling/messages.h"
#include "engine/turn.h"
#include "engine/wrong_proofs.h"
#include "groth16/prover.h"
#include "keys/key_store.h"

namespace cuzk::engine {

/// What an engine is told of a device; prover and keys outlive it.
struct EngineDevice {
  groth16::Prover& prover;
  keys::KeyStore& keys;  ///< of this prover, and of no other device
  std::optional<groth16::DeviceMemory> memory =
      {};  ///< for keys and proofs; none: as the prover says, else without end
  enum class Role : u8 { regular, spare } role = Role::regular;  ///< spare: proves once all the others are lost
};

class DeviceLanes {
 public:
  /// active: the scheduler has it. The engine's mutex guards it.
  enum class State : u8 { active, spare, lost };

  DeviceLanes(DeviceId id, const EngineDevice& device, Clock::duration stuck_after);

  /// As the scheduler is told of it: ordinary lanes, of which no kind has all, and one for urgent jobs after them.
  const DeviceSpec& spec() const { return spec_; }
  DeviceId id() const { return spec_.id; }
  std::string name() const { return prover_.device().name; }

  groth16::Prover& prover() const { return prover_; }
  keys::KeyStore& keys() const { return keys_; }
  std::size_t lanes() const { return lanes_.size(); }

  State state() const { return state_; }
  void set_state(State state) { state_ = state; }

  /// Runs `work` in the thread of a lane, after what it has already.
  void run(u32 lane, std::function<void()> work);

  /// Runs `work` in the thread of that circuit's key, after what it has already.
  void run_with_key(const std::string& circuit_id, TaskThread::Task work);

  /// Waits until the key may be read: small ones always may, large ones take turns at the disk. One that is stuck is not
  /// waited for. Throws Error{cancelled} when `stop` is asked to stop.
  std::optional<Turn::Held> take_loading_turn(const std::string& circuit_id, const std::stop_token& stop);

  /// Waits until the lane may prove; the urgent one always may. Throws Error{cancelled} when `stop` is asked to stop.
  std::optional<Turn::Held> take_turn(u32 lane, const std::stop_token& stop);

  /// What its proofs say of the device.
  WrongProofs& wrong_proofs() { return wrong_proofs_; }

 private:
  groth16::Prover& prover_;
  keys::KeyStore& keys_;
  const DeviceSpec spec_;
  State state_;
  Turn turn_;     // of the ordinary lanes: while one proves, the others make their witnesses
  Turn loading_;  // of large keys: two at a time would take the disk twice as long
  WrongProofs wrong_proofs_;
  std::mutex keys_mutex_;

  // Last: their threads use the engine.
  std::map<std::string, TaskThread> key_threads_;  // a load that is stuck holds up its own key alone
  std::vector<std::unique_ptr<TaskThread>> lanes_;
};

}  // namespace cuzk::engine
