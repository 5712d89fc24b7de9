#include "farm/worker.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/failpoint.h"
#include "engine/queue_full.h"
#include "farm/farm_log.h"

namespace cuzk::farm {

namespace {

using engine::DeviceLanes;

/// Held of each device: one that is proved and one whose input is read and whose witness is made meanwhile.
constexpr u32 kJobsOfADevice = 2;

std::string machine_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

/// Does something with a job of the engine, whose name is `what`, and returns whether that is done: one that has ended and
/// was forgotten needs nothing.
template <class Work>
bool is_done_in_engine(const JobId& id, std::string_view what, Work&& work) {
  try {
    work();
  } catch (const Error& error) {
    if (error.code() == Code::not_found) return true;
    log().warn("farm: job {} cannot be {} here: {}", id, what, error.what());
    return false;
  }
  return true;
}

}  // namespace

FarmWorker::FarmWorker(const FarmOptions& options, engine::Engine& engine, const InputStore& inputs, FarmHealth& health,
                       const std::string& session)
    : options_(options),
      engine_(engine),
      inputs_(inputs),
      health_(health),
      name_(options.name.empty() ? machine_name() : options.name),
      queue_(options, session),
      thread_([this] { run(); }) {}

FarmWorker::~FarmWorker() { stop(std::chrono::milliseconds(0)); }

void FarmWorker::wake() {
  {
    const std::lock_guard lock(mutex_);
    woken_ = true;
  }
  changed_.notify_all();
}

void FarmWorker::run() {
  for (bool goes_on = true; goes_on;) {
    auto next = Clock::now() + std::chrono::milliseconds(50);
    try {
      work_once();
      health_.found();
      backoff_.reset();
      next = std::min(next_beat_, next_claim_);
    } catch (const Error& error) {
      health_.lost(error.what());
      next = Clock::now() + backoff_.next();
    } catch (const std::exception& error) {
      log().error("farm: {}", error.what());
    }
    goes_on = wait(next);
  }
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  changed_.notify_all();
}

/// False once everything is told and given back after stop().
bool FarmWorker::wait(Clock::time_point until) {
  std::unique_lock lock(mutex_);
  if (has_left_ || is_abandoned_) return false;
  const auto has_news = [&] {
    return woken_ ||
           std::any_of(held_.begin(), held_.end(), [](const auto& each) { return each.second.result != nullptr; });
  };
  // While the database is gone nothing is gained by looking again at results.
  if (health_.state().is_connected) {
    changed_.wait_until(lock, until, has_news);
  } else {
    changed_.wait_until(lock, until, [&] { return is_abandoned_; });
  }
  if (std::exchange(woken_, false)) next_claim_ = {};
  return true;
}

void FarmWorker::work_once() {
  settle_results();
  const bool stops = [&] {
    const std::lock_guard lock(mutex_);
    return stopping_;
  }();
  if (stops) return give_all_back();
  take_all();
  hurry_all();
  const auto held = circuits();
  const Room now = room();
  const bool differs = (now.ordinary == 0) != (told_.ordinary == 0) || (now.urgent == 0) != (told_.urgent == 0) ||
                       held != told_circuits_;
  if (Clock::now() >= next_beat_ || differs) say_alive(now, held);
  if (Clock::now() >= next_claim_) claim(now, held);
  if (std::exchange(sweep_is_due_, false)) tidy();
}

void FarmWorker::say_alive(const Room& room, const std::vector<std::string>& circuits) {
  const Beat beat = queue_.beat({name_, room.ordinary, room.urgent, circuits});
  next_beat_ = Clock::now() + options_.heartbeat;
  told_ = room;
  told_circuits_ = circuits;
  sweep_is_due_ = beat.sweep_is_due;
  compare(beat.leases);
}

/// What the database says is this daemon's, against what it works on.
void FarmWorker::compare(const std::vector<Beat::Own>& leases) {
  std::set<Lease> theirs, own;
  for (const auto& each : leases) theirs.insert(each.lease);
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, held] : held_) own.insert(held.claimed.lease);
  }
  for (const Lease& lease : own) {
    if (theirs.contains(lease)) continue;
    log().warn("farm: the lease of job {} was lost", lease.job);
    lose(lease.job);
  }
  for (const Lease& lease : theirs)  // claimed by an operation whose answer was lost
    if (!own.contains(lease)) give_back(lease, std::nullopt);
  for (const auto& each : leases) raise(each);
}

/// It was told of, unless the listener's connection was lost then.
void FarmWorker::raise(const Beat::Own& own) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = held_.find(own.lease.job);
    if (found == held_.end() || found->second.local.empty() || found->second.claimed.priority >= own.priority) return;
  }
  hurry_in_engine(own.lease.job, own.priority);
}

void FarmWorker::lose(const JobId& id) {
  Held lost;
  {
    const std::lock_guard lock(mutex_);
    const auto found = held_.find(id);
    if (found == held_.end() || found->second.result != nullptr)
      return;  // what it came to is told, for what it is worth
    lost = std::move(found->second);
    held_.erase(found);
    woken_ = true;
  }
  changed_.notify_all();
  lost.subscription = {};
  if (!lost.local.empty()) is_done_in_engine(id, "cancelled", [&] { engine_.cancel(lost.local); });
}

void FarmWorker::claim(Room room, const std::vector<std::string>& circuits) {
  next_claim_ = Clock::now() + options_.poll;
  const u32 most = room.ordinary != 0 ? room.ordinary : room.urgent;
  if (most == 0) return;
  const auto lowest = room.ordinary != 0 ? Priority::low : Priority::critical;
  const auto claimed = queue_.claim({circuits, most, lowest});
  for (const auto& each : claimed) {
    const std::lock_guard lock(mutex_);
    held_[each.lease.job] = {each, {}, {}, {}};
  }
  to_take_.insert(to_take_.end(), claimed.begin(), claimed.end());
  take_all();
  if (claimed.size() == most) next_claim_ = {};  // there may be more that is urgent
}

/// One that the database's absence interrupts is taken the next time.
void FarmWorker::take_all() {
  for (; !to_take_.empty(); to_take_.pop_front()) {
    const bool is_held = [&] {
      const std::lock_guard lock(mutex_);
      const auto found = held_.find(to_take_.front().lease.job);
      return found != held_.end() && found->second.claimed.lease == to_take_.front().lease;
    }();
    if (is_held) take(to_take_.front());
  }
}

/// Reads the input and gives it to the engine. What is wrong with that is the job's reason to go back.
void FarmWorker::take(const Claimed& claimed) {
  std::optional<std::string> reason;
  try {
    give_to_engine(claimed);
    return;
  } catch (const engine::QueueFull&) {  // it has room again soon
  } catch (const std::exception& error) {
    if (engine_.snapshot().mode != engine::Mode::draining) reason = error.what();
  }
  if (give_back(claimed.lease, reason))
    log().warn("farm: job {} goes back: {}", claimed.lease.job, reason.value_or("no room"));
  forget(claimed.lease);
}

/// Joins what this engine has of the same lease, and of nothing else.
engine::Engine::Accepted FarmWorker::submit(const Claimed& claimed) {
  engine::ProofRequest request;
  request.request_id = fmt::format("{}/{}", claimed.lease.job, claimed.lease.number);
  request.priority = claimed.priority;
  if (claimed.time_left) request.deadline = Clock::now() + *claimed.time_left;
  request.input = inputs_.read(queue_, claimed);
  return claimed.only ? engine_.submit_part(std::move(request), *claimed.only) : engine_.submit(std::move(request));
}

void FarmWorker::give_to_engine(const Claimed& claimed) {
  const Lease lease = claimed.lease;
  const auto accepted = submit(claimed);
  auto subscription =
      engine_.when_finished(accepted.id, [this, lease](const EngineResult& result) { on_ended(lease, result); });
  log().info("farm: job {} ({}, {}): lease {}, here it is {}", lease.job, name(claimed.kind), claimed.request_id,
             lease.number, accepted.id);
  {
    const std::lock_guard lock(mutex_);
    const auto found = held_.find(lease.job);
    if (found != held_.end() && found->second.claimed.lease == lease) {
      found->second.local = accepted.id;
      found->second.subscription = std::move(subscription);
      return;
    }
  }
  is_done_in_engine(lease.job, "cancelled", [&] { engine_.cancel(accepted.id); });  // lost meanwhile
}

void FarmWorker::hurry(const JobId& id) {
  {
    const std::lock_guard lock(mutex_);
    to_hurry_.push_back(id);
    woken_ = true;
  }
  changed_.notify_all();
}

void FarmWorker::hurry_all() {
  const auto ids = [&] {
    const std::lock_guard lock(mutex_);
    return std::exchange(to_hurry_, {});
  }();
  for (const JobId& id : ids) hurry_in_engine(id, Priority::critical);
}

/// What is held and not yet the engine's goes there as it was claimed; the next heartbeat sees to it, and to what could not
/// be done here.
void FarmWorker::hurry_in_engine(const JobId& id, Priority priority) {
  engine::JobId local;
  {
    const std::lock_guard lock(mutex_);
    const auto found = held_.find(id);
    if (found == held_.end() || found->second.local.empty()) return;
    local = found->second.local;
  }
  const bool is_done = is_done_in_engine(id, "hurried", [&] {
    CUZK_FAILPOINT("farm.hurry");
    engine_.raise(local, priority);
  });
  if (!is_done) return;
  const std::lock_guard lock(mutex_);
  const auto found = held_.find(id);
  if (found != held_.end() && found->second.local == local)
    found->second.claimed.priority = std::max(found->second.claimed.priority, priority);
}

void FarmWorker::tidy() {
  const auto changed = queue_.sweep();
  if (!changed) return;
  if (*changed != 0)
    log().warn("farm: {} jobs of daemons that died or past their deadlines were taken care of", *changed);
  inputs_.purge(queue_);
}

FarmWorker::Room FarmWorker::room() const {
  u32 devices = 0;
  for (const auto& view : engine_.devices()) devices += view.state == DeviceLanes::State::active ? 1 : 0;
  if (engine_.snapshot().mode == engine::Mode::draining) return {};
  Room room{devices * (options_.jobs_at_once != 0 ? options_.jobs_at_once : kJobsOfADevice), devices * kJobsOfADevice};
  const std::lock_guard lock(mutex_);
  for (const auto& [id, held] : held_) {
    u32& of_its_kind = held.claimed.priority == Priority::critical ? room.urgent : room.ordinary;
    if (of_its_kind != 0) --of_its_kind;
  }
  return room;
}

std::vector<std::string> FarmWorker::circuits() const {
  std::set<std::string> circuits;
  for (const auto& view : engine_.devices()) {
    if (view.state == DeviceLanes::State::lost) continue;
    for (const auto& key : view.keys) circuits.insert(key.circuit_id);
  }
  return {circuits.begin(), circuits.end()};
}

std::optional<engine::JobId> FarmWorker::local(const JobId& id) const {
  const std::lock_guard lock(mutex_);
  const auto found = held_.find(id);
  if (found == held_.end() || found->second.local.empty()) return std::nullopt;
  return found->second.local;
}

void FarmWorker::stop(std::chrono::milliseconds patience) {
  {
    std::unique_lock lock(mutex_);
    stopping_ = woken_ = true;
    changed_.notify_all();
    if (!changed_.wait_for(lock, patience, [&] { return stopped_; })) {
      is_abandoned_ = true;
      changed_.notify_all();
      queue_.interrupt();
    }
  }
  if (thread_.joinable()) thread_.join();
}

}  // namespace cuzk::farm
