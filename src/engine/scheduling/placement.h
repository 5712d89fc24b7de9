/// Decides what starts, which keys move and who is preempted, given the state as it is now. Asked after every event.
///
/// It goes through the circuits in the order of their first jobs, places one batch, and begins again, until a round
/// places nothing. In a round, whoever cannot start may hold back those after it (Hold, claims); nothing of that is
/// remembered from round to round, so that it cannot be stale.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/scheduling/state.h"

namespace cuzk::engine {

class Placement {
 public:
  Placement(SchedulerState& state, std::vector<Decision>& decisions) : state_(state), decisions_(decisions) {}

  void run();

 private:
  /// Who may start though somebody before them waits for host memory.
  enum class Hold : u8 {
    nobody,    ///< everyone may
    new_jobs,  ///< only jobs that hold memory already, so that they come to their end
    everyone,  ///< none: what runs will leave enough
  };

  struct Place {
    DeviceState* device;
    u32 lane;
    Pool pool;
  };

  /// How to make room on a device: which keys go.
  struct Eviction {
    DeviceState* device;
    Pool pool;
    std::vector<std::string> victims;
    u64 bytes = 0;
  };

  struct ProofBytes {
    u64 beside = 0;   ///< what others cannot have
    u64 in_turn = 0;  ///< the most that one takes of those that take turns
  };

  /// Which keys may go: those that can be spared, or only those that have long been unused.
  enum class Manner : u8 { needed, spare };

  bool start_one();
  bool consider(CircuitQueue& queue);
  ScheduledJob* startable(const CircuitQueue& queue);
  ScheduledJob& first(const std::set<Rank>& ranks) { return state_.jobs.at(ranks.begin()->ticket); }

  // Host memory.
  std::optional<Pool> host_pool(const ScheduledJob& job) const;
  bool held_back(const ScheduledJob& job) const;
  void hold_back_for(const ScheduledJob& job);

  // Lanes.
  bool at_limit(const ScheduledJob& job) const;
  bool at_limit_of(const DeviceState& device, const ScheduledJob& job) const;
  bool ripe(const CircuitQueue& queue, const ScheduledJob& head);
  std::optional<Place> find_place(const CircuitQueue& queue, const ScheduledJob& head);
  std::optional<Place> place_on(DeviceState& device, const ScheduledJob& head, bool is_ripe);
  void start(CircuitQueue& queue, const ScheduledJob& head, const Place& place);
  u64 share(const CircuitQueue& queue, const DeviceNeed& need) const;
  void add_partition(RunningBatch& batch, ScheduledJob& job, Pool host);
  void preempt_for(const CircuitQueue& queue);
  bool preempt_on(DeviceState& device, const ScheduledJob& head);
  bool may_preempt(const RunningBatch& batch, const DeviceState& device, const ScheduledJob& head);
  void move_raised();
  bool may_move(const RunningBatch& batch) const;
  bool has_urgent_place(const RunningBatch& batch);

  // Keys.
  void prepare(const CircuitQueue& queue, const ScheduledJob& head);
  void load_somewhere(const CircuitQueue& queue, const ScheduledJob& head);
  void copy_elsewhere(const CircuitQueue& queue, const ScheduledJob& head);
  bool has_failed(const DeviceState& device, const std::string& circuit);
  bool can_hold(const DeviceState& device, const DeviceKey& key, const ScheduledJob& head);
  bool can_hold(const DeviceState& device, const DeviceKey& key, const ScheduledJob& head, Pool pool);
  bool make_room(DeviceState& device, const ScheduledJob& head);
  std::optional<Eviction> eviction(DeviceState& device, Pool pool, u64 bytes, const ScheduledJob& head, Manner manner);
  bool may_evict(const DeviceState& device, const std::string& circuit, const ScheduledJob& head, Manner manner);
  bool may_displace(const DeviceKey& key, const ScheduledJob& owner, const ScheduledJob& head);
  bool elsewhere(const DeviceState& device, const std::string& circuit) const;
  std::optional<Eviction> choose(DeviceState& device, Pool pool, u64 bytes, u64 taken,
                                 std::vector<std::string> candidates);
  void load_wanted();
  std::optional<Eviction> room_for_wanted(const KeyWanted& wanted);
  void evict(const Eviction& eviction);
  bool load(const Eviction& eviction, const std::string& circuit, u64 bytes);
  const CircuitQueue* demand(const std::string& circuit);
  u64 stalled_bytes(const DeviceState& device, Pool pool);

  // A device's memory.
  ProofBytes proofs(const DeviceState& device, Pool pool);
  u64 unclaimed(const DeviceState& device, Pool pool) const;
  u64 room_for_proof(const DeviceState& device, Pool pool);
  u64 room_for_key(const DeviceState& device, Pool pool);

  bool stalled(const RunningBatch& batch) { return passed(batch.progressed + state_.policy.stall_after); }
  bool passed(Time time);  ///< else it is remembered to look again then

  SchedulerState& state_;
  std::vector<Decision>& decisions_;

  // Of this round.
  Hold hold_ = Hold::nobody;
  std::map<DeviceId, u64> claims_;                      ///< ordinary memory that others must leave
  std::set<std::pair<DeviceId, std::string>> leaving_;  ///< keys that nobody may begin to use
  std::set<std::pair<DeviceId, std::string>> kept_;     ///< keys for whose jobs room is being made
  std::set<const CircuitQueue*> blocked_;               ///< circuits whose first job could not start anywhere
  std::set<BatchId> promised_;                          ///< preempted for somebody before
};

}  // namespace cuzk::engine
