/// What takes jobs of a farm to the local engine and their results back.
///
/// One thread with a queue of its own: it says that the daemon lives, claims what the engine has room for (CRITICAL ones
/// also where it has no other), reads their inputs, and tells results. Where the database is gone, what runs goes on;
/// results wait until it is there again.
///
/// What an engine's result comes to: a proof, a wrong input and a passed deadline are the job's end; any other failure may
/// be this machine's alone, and the job goes back with the reason; a job that the engine cancelled because it stops goes
/// back without.
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "engine/engine.h"
#include "farm/farm_health.h"
#include "farm/farm_options.h"
#include "farm/input_store.h"
#include "farm/queue.h"

namespace cuzk::farm {

/// Threads: any may call any function.
class FarmWorker {
 public:
  /// What it is given must outlive it, and be there until the engine has stopped. Begins to work.
  FarmWorker(const FarmOptions& options, engine::Engine& engine, const InputStore& inputs, FarmHealth& health,
             const std::string& session);

  /// Gives up what it holds: as stop() with no patience.
  ~FarmWorker();

  /// There may be something to claim.
  void wake();

  /// The lease of a job is somebody else's, or nobody's: its work here is cancelled.
  void lose(const JobId& id);

  /// A job is wanted as CRITICAL now.
  void hurry(const JobId& id);

  /// The engine's own id of a job that runs here.
  std::optional<engine::JobId> local(const JobId& id) const;

  /// Claims no more; tells the results that there are, gives the rest back, and takes the daemon out of the list. Returns
  /// when that is done or `patience` is over: then leases run out by themselves.
  void stop(std::chrono::milliseconds patience);

 private:
  using Clock = engine::Clock;
  using EngineResult = engine::Engine::Result;

  /// A job that this daemon has a lease of.
  struct Held {
    Claimed claimed;
    engine::JobId local;  ///< empty until the engine has it
    EngineResult result;  ///< once it has ended
    engine::Engine::Subscription subscription;
  };

  struct Room {
    u32 ordinary = 0, urgent = 0;
    bool operator==(const Room&) const = default;
  };

  void run();
  void work_once();
  void settle_results();
  void settle(const Lease& lease, const engine::JobResult& result);
  void tell(const Lease& lease, const engine::JobResult& result);
  bool give_back(const Lease& lease, const std::optional<std::string>& reason);
  void say_alive(const Room& room, const std::vector<std::string>& circuits);
  void compare(const std::vector<Beat::Own>& leases);
  void raise(const Beat::Own& own);
  void claim(Room room, const std::vector<std::string>& circuits);
  void take_all();
  void take(const Claimed& claimed);
  engine::Engine::Accepted submit(const Claimed& claimed);
  void give_to_engine(const Claimed& claimed);
  void hurry_all();
  void hurry_in_engine(const JobId& id, Priority priority);
  void give_all_back();
  void tidy();
  bool wait(Clock::time_point until);
  void on_ended(const Lease& lease, const EngineResult& result);
  void forget(const Lease& lease);
  Room room() const;
  std::vector<std::string> circuits() const;

  const FarmOptions& options_;
  engine::Engine& engine_;
  const InputStore& inputs_;
  FarmHealth& health_;
  const std::string name_;
  FarmQueue queue_;  // of the thread alone, but for its interruption

  // Of the thread alone
  Backoff backoff_{options_.lease};
  Clock::time_point next_beat_{}, next_claim_{};
  Room told_;
  std::vector<std::string> told_circuits_;
  std::deque<Claimed> to_take_;  // claimed, and not yet given to the engine
  bool sweep_is_due_ = false;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::map<JobId, Held> held_;
  std::vector<JobId> to_hurry_;
  bool woken_ = false, stopping_ = false, has_left_ = false, is_abandoned_ = false, stopped_ = false;

  std::thread thread_;  // last: it uses the others
};

}  // namespace cuzk::farm
