#include "engine/scheduling/simulation.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <queue>
#include <unordered_map>

#include "engine/scheduling/pooled_memory.h"
#include "engine/scheduling/scheduler.h"

namespace cuzk::engine {

namespace {

/// What a device computes: one partition at a time, urgent ones before and in the midst of the others.
class Processor {
 public:
  /// When the work that begins now in its queue will be done, should nothing urgent come.
  void add(BatchId batch, Duration work, Pool pool, Time now) {
    advance(now);
    (pool == Pool::urgent ? urgent_ : ordinary_).push_back({batch, work});
  }

  void remove(BatchId batch, Time now) {
    advance(now);
    for (auto* queue : {&urgent_, &ordinary_})
      std::erase_if(*queue, [&](const Work& each) { return each.batch == batch; });
  }

  /// The batch whose work ends first, and when.
  std::optional<std::pair<Time, BatchId>> next() const {
    const auto& queue = urgent_.empty() ? ordinary_ : urgent_;
    if (queue.empty()) return std::nullopt;
    return std::pair(now_ + queue.front().left, queue.front().batch);
  }

  void finish(Time now) {
    advance(now);
    auto& queue = urgent_.empty() ? ordinary_ : urgent_;
    queue.pop_front();
  }

  Duration busy() const { return busy_; }

 private:
  struct Work {
    BatchId batch;
    Duration left;
  };

  /// Never past the end of the first work.
  void advance(Time now) {
    auto& queue = urgent_.empty() ? ordinary_ : urgent_;
    if (!queue.empty()) {
      queue.front().left -= now - now_;
      busy_ += now - now_;
    }
    now_ = now;
  }

  std::deque<Work> urgent_, ordinary_;
  Time now_{};
  Duration busy_{};
};

/// A batch on its way: the partition at hand, and those after it.
struct Running {
  DeviceId device = 0;
  Pool pool = Pool::ordinary;
  std::deque<PartitionOfJob> left;
  Kind kind = Kind::porep;
  bool computing = false;  ///< in the processor, else on the host
};

class Simulation {
 public:
  Simulation(const ProviderRates& rates, const ProviderProfile& profile, const SimulatedMachine& machine,
             const SchedulerPolicy& policy)
      : profile_(profile),
        machine_(machine),
        arrivals_(provider_load(rates, profile)),
        scheduler_(policy),
        processors_(machine.gpus) {
    report_.devices.resize(machine.gpus);
  }

  SimulationReport run() {
    begin();
    while (step()) {
    }
    return report();
  }

 private:
  /// Something that happens later, in the order of time and then of noting.
  struct Later {
    enum class What : u8 { host_done, key_loaded, key_evicted, give_back } what;
    DeviceId device = 0;
    BatchId batch = 0;
    std::string circuit;
  };

  struct Record {
    Time submitted, started, ended;
    Kind kind = Kind::porep;
    enum class State : u8 { waiting, started, completed, missed, refused } state = State::waiting;
  };

  void begin() {
    records_.resize(arrivals_.size() + 1);
    const KindProfile& winning = profile_.of(Kind::winning_post);
    for (DeviceId id = 0; id < machine_.gpus; ++id) {
      tell(DeviceAdded{{id, machine_.gpu_memory, machine_.urgent_memory, machine_.lanes, 1}});
      tell(KeyWanted{id, winning.circuit, winning.memory.key, KeyWanted::Use::urgent});
    }
  }

  /// The next thing that happens; false when nothing will.
  bool step() {
    const auto arrival = next_arrival_ < arrivals_.size() ? std::optional(arrivals_[next_arrival_].time) : std::nullopt;
    const auto later = later_.empty() ? std::nullopt : std::optional(later_.begin()->first);
    const auto computed = next_computed();
    const auto wake = alive() ? scheduler_.next_wakeup() : std::nullopt;
    std::optional<Time> first;
    for (const auto& time : {arrival, later, computed ? std::optional(computed->first) : std::nullopt, wake})
      if (time && (!first || *time < *first)) first = time;
    if (!first) return false;
    now_ = std::max(now_, *first);
    if (later == first) {
      const Later what = std::move(later_.begin()->second);
      later_.erase(later_.begin());
      happen(what);
    } else if (computed && computed->first == *first) {
      partition_computed(computed->second);
    } else if (arrival == first) {
      submit(arrivals_[next_arrival_++].job);
    } else {
      tell(Tick{});
    }
    return true;
  }

  bool alive() const { return open_ > 0; }

  std::optional<std::pair<Time, DeviceId>> next_computed() const {
    std::optional<std::pair<Time, DeviceId>> first;
    for (DeviceId id = 0; id < processors_.size(); ++id) {
      const auto next = processors_[id].next();
      if (next && (!first || next->first < first->first)) first = {next->first, id};
    }
    return first;
  }

  void submit(const JobSpec& job) {
    records_[job.ticket] = {now_, {}, {}, job.kind, Record::State::waiting};
    ++open_;
    tell(JobSubmitted{job});
  }

  void happen(const Later& later) {
    if (later.what == Later::What::host_done) return compute(later.batch);
    if (later.what == Later::What::key_loaded) return tell(KeyLoaded{later.device, later.circuit});
    if (later.what == Later::What::key_evicted) return tell(KeyEvicted{later.device, later.circuit});
    give_back(later.batch);
  }

  void compute(BatchId id) {
    const auto found = running_.find(id);
    if (found == running_.end()) return;  // it was given back
    Running& batch = found->second;
    batch.computing = true;
    processors_[batch.device].add(id, profile_.of(batch.kind).device, batch.pool, now_);
  }

  void partition_computed(DeviceId device) {
    const BatchId id = processors_[device].next()->second;
    processors_[device].finish(now_);
    Running& batch = running_.at(id);
    batch.computing = false;
    const PartitionOfJob done = batch.left.front();
    batch.left.pop_front();
    if (batch.left.empty()) {
      running_.erase(id);
    } else {
      later(profile_.of(batch.kind).witness, {Later::What::host_done, device, id, {}});
    }
    tell(PartitionEnded{id, done.ticket, done.partition, PartitionEnded::Outcome::proved});
  }

  /// All that is left of a batch.
  void give_back(BatchId id) {
    const auto found = running_.find(id);
    if (found == running_.end()) return;
    const Running batch = std::move(found->second);
    running_.erase(found);
    processors_[batch.device].remove(id, now_);
    for (const auto& [ticket, partition] : batch.left)
      tell(PartitionEnded{id, ticket, partition, PartitionEnded::Outcome::given_back});
  }

  void later(Duration after, Later what) { later_.emplace(now_ + after, std::move(what)); }

  void tell(const Event& event) {
    ++report_.events;
    for (const auto& decision : scheduler_.handle(now_, event))
      std::visit([this](const auto& d) { take(d); }, decision);
  }

  void take(const StartBatch& d) {
    Running batch;
    batch.device = d.device;
    batch.pool = d.lane >= machine_.lanes ? Pool::urgent : Pool::ordinary;
    batch.left.assign(d.partitions.begin(), d.partitions.end());
    batch.kind = records_[d.partitions.front().ticket].kind;
    for (const auto& partition : d.partitions) {
      Record& record = records_[partition.ticket];
      if (record.state != Record::State::waiting) continue;
      record.state = Record::State::started;
      record.started = now_;
    }
    later(profile_.of(batch.kind).witness, {Later::What::host_done, d.device, d.batch, {}});
    running_[d.batch] = std::move(batch);
  }

  void take(const PreemptBatch& d) {
    if (d.boundary == PreemptBatch::Boundary::turn) return;  // no job of its load becomes more urgent
    ++report_.preemptions;
    later(machine_.tile, {Later::What::give_back, 0, d.batch, {}});
  }

  void take(const LoadKey& d) {
    ++report_.devices[d.device].key_loads;
    const auto profile = std::find_if(profile_.kinds.begin(), profile_.kinds.end(),
                                      [&](const KindProfile& each) { return each.circuit == d.circuit; });
    const double seconds =
        static_cast<double>(profile->memory.key) / static_cast<double>(profile_.key_bytes_per_second);
    later(std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds)),
          {Later::What::key_loaded, d.device, 0, d.circuit});
  }

  void take(const EvictKey& d) { later(machine_.tile, {Later::What::key_evicted, d.device, 0, d.circuit}); }

  /// Batches with partitions of this job stop; partners of it run again.
  void take(const StopJob& d) {
    for (const auto& [id, batch] : running_) {
      const bool has = std::any_of(batch.left.begin(), batch.left.end(),
                                   [&](const PartitionOfJob& each) { return each.ticket == d.ticket; });
      if (has) later(machine_.tile, {Later::What::give_back, 0, id, {}});
    }
  }

  void take(const EndJob& d) {
    Record& record = records_[d.ticket];
    record.state = d.how == JobEnd::completed ? Record::State::completed : Record::State::missed;
    record.ended = now_;
    --open_;
  }

  void take(const RefuseJob& d) {
    records_[d.ticket].state = Record::State::refused;
    --open_;
  }

  void take(const KeyRefused&) {}

  SimulationReport report() {
    for (const Kind kind : kKinds) report_.kinds[static_cast<std::size_t>(kind)] = of_kind(kind);
    const double length = std::chrono::duration<double>(now_ - Time{}).count();
    for (DeviceId id = 0; id < processors_.size(); ++id)
      report_.devices[id].busy = std::chrono::duration<double>(processors_[id].busy()).count() / std::max(length, 1.0);
    return report_;
  }

  SimulatedKind of_kind(Kind kind) const {
    using State = Record::State;
    SimulatedKind result;
    std::vector<Duration> waits, totals;
    for (std::size_t ticket = 1; ticket < records_.size(); ++ticket) {
      const Record& record = records_[ticket];
      if (record.kind != kind) continue;
      ++result.jobs;
      result.completed += record.state == State::completed;
      result.missed += record.state == State::missed;
      result.refused += record.state == State::refused;
      if (record.started != Time{} || record.state == State::completed)
        waits.push_back(record.started - record.submitted);
      if (record.state == State::completed) totals.push_back(record.ended - record.submitted);
    }
    result.wait_median = quantile(waits, 0.5);
    result.wait_p99 = quantile(waits, 0.99);
    result.wait_most = quantile(waits, 1);
    result.total_p99 = quantile(totals, 0.99);
    return result;
  }

  static Duration quantile(std::vector<Duration>& values, double share) {
    if (values.empty()) return {};
    const auto index = static_cast<std::size_t>(std::lround(share * static_cast<double>(values.size() - 1)));
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(index), values.end());
    return values[index];
  }

  const ProviderProfile& profile_;
  const SimulatedMachine machine_;
  const std::vector<Arrival> arrivals_;
  Scheduler scheduler_;
  std::vector<Processor> processors_;
  std::multimap<Time, Later> later_;
  std::unordered_map<BatchId, Running> running_;
  std::vector<Record> records_;  // by ticket
  std::size_t next_arrival_ = 0;
  u64 open_ = 0;  // jobs that have not ended
  Time now_{};
  SimulationReport report_;
};

}  // namespace

bool SimulationReport::all_in_time() const {
  return std::all_of(kinds.begin(), kinds.end(), [](const auto& kind) { return kind.missed + kind.refused == 0; });
}

SimulationReport simulate(const ProviderRates& rates, const ProviderProfile& profile, const SimulatedMachine& machine,
                          const SchedulerPolicy& policy) {
  return Simulation(rates, profile, machine, policy).run();
}

std::optional<u32> gpus_needed(const ProviderRates& rates, const ProviderProfile& profile, SimulatedMachine machine,
                               const SchedulerPolicy& policy, u32 most) {
  for (machine.gpus = 1; machine.gpus <= most; ++machine.gpus)
    if (simulate(rates, profile, machine, policy).all_in_time()) return machine.gpus;
  return std::nullopt;
}

}  // namespace cuzk::engine
