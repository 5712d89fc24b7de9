#include "farm/simulation.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <queue>
#include <random>
#include <utility>

#include "base/error.h"

namespace cuzk::farm {

std::string_view name(Operation operation) {
  switch (operation) {
    case Operation::submit: return "submit";
    case Operation::claim: return "claim";
    case Operation::empty_claim: return "claim of nothing";
    case Operation::input: return "input";
    case Operation::end: return "end";
    case Operation::fetch: return "fetch";
    case Operation::beat: return "beat";
    case Operation::look: return "look again";
    case Operation::sweep: return "sweep";
  }
  return "unknown";
}

bool waits_for_disk(Operation operation) {
  return operation == Operation::submit || operation == Operation::claim || operation == Operation::end;
}

namespace {

using Time = double;  // seconds

constexpr Time kNotice = 0.002;    // from a commit to whom it wakes
constexpr Time kBetweenLooks = 5;  // at awaited jobs (farm.cpp)
constexpr u32 kUrgentRoom = 2;     // worker.cpp
constexpr u32 kRoom = 2;
constexpr u32 kWokenByUrgent = 3;  // schema.cpp

double seconds(FarmOptions::Time time) { return std::chrono::duration<double>(time).count(); }

struct Job {
  Time accepted = 0, work = 0;
  u32 acceptor = 0;
  bool is_urgent = false;
};

struct Daemon {
  std::deque<Job> held;  // the first is proved
  u32 urgent = 0, awaited = 0;
  Time next_poll = 0;
  double busy = 0;
};

struct Event {
  enum class What : u8 { arrival, wake, poll, proved, urgent_proved, beat, look, fetched } what{};
  Time at = 0;
  u32 daemon = 0;
  Job job;

  friend bool operator>(const Event& a, const Event& b) { return a.at > b.at; }
};

class Simulation {
 public:
  Simulation(const FarmLoad& load, const FarmOptions& options)
      : load_(load),
        options_(options),
        room_(options.jobs_at_once != 0 ? options.jobs_at_once : kRoom),
        random_(load.seed),
        daemons_(load.daemons),
        end_(load.hours * 3600) {
    for (auto& counts : of_second_) counts.resize(static_cast<std::size_t>(end_) + 1);
  }

  FarmLoadReport run() {
    for (u32 i = 0; i < load_.daemons; ++i) {
      add(Event::What::beat, uniform() * seconds(options_.heartbeat), i);
      add(Event::What::poll, uniform() * seconds(options_.poll), i);
      add(Event::What::look, uniform() * kBetweenLooks, i);
    }
    add(Event::What::arrival, next_arrival(0), 0);
    const auto between_sweeps = std::max(options_.lease / 3, FarmOptions::Time{1});  // a lease of 2 ms would never end
    for (FarmOptions::Time sweep{}; seconds(sweep) < end_; sweep += between_sweeps)
      count(Operation::sweep, seconds(sweep));
    while (!events_.empty() && events_.top().at < end_) {
      const Event event = events_.top();
      events_.pop();
      handle(event);
    }
    return report();
  }

 private:
  void add(Event::What what, Time at, u32 daemon, const Job& job = {}) { events_.push({what, at, daemon, job}); }
  double uniform() { return std::uniform_real_distribution<double>(0, 1)(random_); }
  u32 any_daemon() { return std::uniform_int_distribution<u32>(0, load_.daemons - 1)(random_); }

  void count(Operation operation, Time at) {
    ++of_second_[static_cast<std::size_t>(operation)][static_cast<std::size_t>(std::min(at, end_))];
  }

  /// In two hours of each day more come, in the others as many less that the day's sum stays.
  double rate(Time now) const {
    const double hour = std::fmod(now / 3600, 24);
    const double average = load_.jobs_a_day / 86400;
    return average * (hour < 2 ? load_.busy_factor : (24 - 2 * load_.busy_factor) / 22);
  }
  Time next_arrival(Time now) { return now + std::exponential_distribution<double>(rate(now))(random_); }

  void handle(const Event& event) {
    switch (event.what) {
      case Event::What::arrival: return arrive(event.at);
      case Event::What::wake: return claim(event.daemon, event.at);
      case Event::What::poll: return poll(event.daemon, event.at);
      case Event::What::proved: return proved(event.daemon, event.at);
      case Event::What::urgent_proved: return urgent_proved(event.daemon, event.at, event.job);
      case Event::What::beat:
        count(Operation::beat, event.at);
        return add(Event::What::beat, event.at + seconds(options_.heartbeat), event.daemon);
      case Event::What::look:
        if (daemons_[event.daemon].awaited != 0) count(Operation::look, event.at);
        return add(Event::What::look, event.at + kBetweenLooks, event.daemon);
      case Event::What::fetched:
        count(Operation::fetch, event.at);  // and the note that it was fetched
        count(Operation::fetch, event.at);
        --daemons_[event.daemon].awaited;
        return;
    }
  }

  void arrive(Time now) {
    add(Event::What::arrival, next_arrival(now), 0);
    Job job{now, 0, any_daemon(), uniform() < load_.critical_share};
    job.work = std::exponential_distribution<double>(1 / load_.job_seconds)(random_) * (job.is_urgent ? 0.1 : 1);
    ++jobs_;
    count(Operation::submit, now);
    count(Operation::fetch, now);  // its acceptor looks whether it has ended already
    ++daemons_[job.acceptor].awaited;
    (job.is_urgent ? urgent_ : waiting_).push_back(job);
    for (u32 i = 0; i < (job.is_urgent ? kWokenByUrgent : 1); ++i) wake_one(job.is_urgent, now);
  }

  bool has_room(const Daemon& daemon) const { return daemon.held.size() < room_; }

  /// The database knows who has room.
  void wake_one(bool is_urgent, Time now) {
    const u32 first = any_daemon();
    for (u32 i = 0; i < load_.daemons; ++i) {
      const u32 each = (first + i) % load_.daemons;
      if (!has_room(daemons_[each]) && !(is_urgent && daemons_[each].urgent < kUrgentRoom)) continue;
      return add(Event::What::wake, now + kNotice, each);
    }
  }

  void poll(u32 number, Time now) {
    Daemon& daemon = daemons_[number];
    if (now >= daemon.next_poll) claim(number, now);
    add(Event::What::poll, std::max(daemon.next_poll, now + 0.01), number);
  }

  void claim(u32 number, Time now) {
    Daemon& daemon = daemons_[number];
    daemon.next_poll = now + seconds(options_.poll);
    const bool had_room = has_room(daemon);
    if (!had_room && daemon.urgent >= kUrgentRoom) return;
    bool found = false;
    while (!urgent_.empty() && daemon.urgent < kUrgentRoom) {
      take_urgent(number, now);
      found = true;
    }
    while (!waiting_.empty() && has_room(daemon)) {
      take(number, now);
      found = true;
    }
    count(found ? Operation::claim : Operation::empty_claim, now);
    if (had_room && !has_room(daemon)) count(Operation::beat, now);
  }

  void take_urgent(u32 number, Time now) {
    const Job job = urgent_.front();
    urgent_.pop_front();
    ++daemons_[number].urgent;
    note_wait(now - job.accepted, critical_waits_);
    count(Operation::input, now);
    add(Event::What::urgent_proved, now + job.work, number, job);
  }

  void take(u32 number, Time now) {
    Daemon& daemon = daemons_[number];
    daemon.held.push_back(waiting_.front());
    waiting_.pop_front();
    note_wait(now - daemon.held.back().accepted, waits_);
    count(Operation::input, now);
    if (daemon.held.size() == 1) add(Event::What::proved, now + daemon.held.front().work, number);
  }

  void note_wait(Time wait, std::vector<float>& waits) { waits.push_back(static_cast<float>(wait)); }

  void proved(u32 number, Time now) {
    Daemon& daemon = daemons_[number];
    const Job job = daemon.held.front();
    daemon.held.pop_front();
    daemon.busy += job.work;
    if (!daemon.held.empty()) add(Event::What::proved, now + daemon.held.front().work, number);
    ended(job, now);
    if (daemon.held.size() + 1 == room_) count(Operation::beat, now);  // it was full: it says that it has room
    claim(number, now);
  }

  void urgent_proved(u32 number, Time now, const Job& job) {
    --daemons_[number].urgent;
    ended(job, now);
    claim(number, now);
  }

  void ended(const Job& job, Time now) {
    count(Operation::end, now);
    add(Event::What::fetched, now + kNotice, job.acceptor);
  }

  static std::chrono::milliseconds quantile(std::vector<float>& sorted, double share) {
    if (sorted.empty()) return {};
    const auto place = static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1));
    return std::chrono::milliseconds(static_cast<i64>(1000.0 * static_cast<double>(sorted[place])));
  }

  FarmLoadReport report() {
    FarmLoadReport report;
    report.seconds = end_;
    report.jobs = jobs_;
    report.claimed = waits_.size() + critical_waits_.size();
    for (const Operation operation : kOperations) {
      const auto& counts = of_second_[static_cast<std::size_t>(operation)];
      u64 sum = 0;
      for (const u32 each : counts) sum += each;
      report.operations.push_back(
          {operation, sum, static_cast<double>(sum) / end_, *std::max_element(counts.begin(), counts.end())});
    }
    for (std::size_t second = 0; second < of_second_[0].size(); ++second) {
      u32 all = 0, commits = 0;
      for (const Operation operation : kOperations) {
        const u32 each = of_second_[static_cast<std::size_t>(operation)][second];
        all += each;
        if (waits_for_disk(operation)) commits += each;
      }
      report.most_together = std::max(report.most_together, all);
      report.most_commits = std::max(report.most_commits, commits);
    }
    std::sort(waits_.begin(), waits_.end());
    std::sort(critical_waits_.begin(), critical_waits_.end());
    report.wait_median = quantile(waits_, 0.5);
    report.wait_p99 = quantile(waits_, 0.99);
    report.wait_most = quantile(waits_, 1);
    report.critical_p99 = quantile(critical_waits_, 0.99);
    report.critical_most = quantile(critical_waits_, 1);
    for (const auto& daemon : daemons_) report.busy += daemon.busy / end_ / load_.daemons;
    return report;
  }

  const FarmLoad load_;
  const FarmOptions options_;
  const u32 room_;
  std::mt19937_64 random_;
  std::vector<Daemon> daemons_;
  const Time end_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::deque<Job> waiting_, urgent_;
  u64 jobs_ = 0;
  std::vector<float> waits_, critical_waits_;
  std::array<std::vector<u32>, kOperations.size()> of_second_;
};

}  // namespace

FarmLoadReport simulate(const FarmLoad& load, const FarmOptions& options) {
  if (load.daemons == 0 || load.jobs_a_day <= 0 || load.job_seconds <= 0 || load.hours <= 0)
    throw invalid_input("a farm has one daemon, one job a day and some time at least");
  if (load.busy_factor < 0 || load.busy_factor >= 12)
    throw invalid_input("a busy factor of {}: in two hours a day's jobs are twelve times the average",
                        load.busy_factor);
  return Simulation(load, options).run();
}

}  // namespace cuzk::farm
