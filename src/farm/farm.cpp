#include "farm/farm.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>

#include "base/hex.h"
#include "base/random.h"
#include "farm/awaited_jobs.h"
#include "farm/desk_threads.h"
#include "farm/farm_log.h"
#include "farm/input_store.h"
#include "farm/key_hint.h"
#include "farm/worker.h"

namespace cuzk::farm {

namespace {

using engine::JobView;

/// Of callers: enough that their commits share a wait for the disk.
constexpr unsigned kDeskThreads = 4;

/// How often those that are awaited are looked for, beside what the database tells.
constexpr auto kLookAgain = std::chrono::seconds(5);

Error unknown(const JobId& id) { return {Code::not_found, fmt::format("the farm has no job '{}'", id)}; }

std::exception_ptr stopping() {
  return std::make_exception_ptr(
      Error(Code::unavailable, "the daemon is stopping; the job goes on in the farm: ask for it again, here or there"));
}

JobView view_of(const FarmJob& job) {
  JobView view;
  view.id = job.id;
  view.request_id = job.request_id;
  view.kind = job.kind;
  view.priority = job.priority;
  view.state = job.result ? job.result->state : job.is_leased ? JobState::running : JobState::queued;
  if (job.is_leased) view.stage = "at " + job.daemon;
  view.ran = job.since_leased;
  view.queued = job.since_accepted - job.since_leased;
  if (job.result) view.message = job.result->message;
  return view;
}

}  // namespace

/// The listener is the farm's own thread; see the header.
class JoinedFarm final : public Farm, private Listener {
 public:
  JoinedFarm(const FarmOptions& options, engine::Engine& engine, const engine::StatementDecoder& decoder)
      : options_(options),
        engine_(engine),
        decoder_(decoder),
        session_(to_hex(random_bytes<16>())),
        inputs_(options_),
        listening_(prepared(options_, session_)),
        desk_(options_, session_, kDeskThreads),
        worker_(options_, engine, inputs_, health_, session_),
        listener_([this] { listen(); }) {
    log().info("farm: session {} at {}", session_, without_password(options_.postgres));
  }

  ~JoinedFarm() override { stop(std::chrono::milliseconds(0)); }

  void submit(engine::ProofRequest request, std::optional<engine::Clock::time_point> wanted,
              Told<Accepted> told) override;
  Ticket when_finished(const JobId& id, std::optional<engine::Clock::time_point> wanted, Told<Result> told) override;
  void cancel(const JobId& id, Told<JobState> told) override;
  void view(const JobId& id, Told<JobView> told) override;
  std::chrono::milliseconds between_views(const JobId& id) const override {
    return worker_.local(id) ? std::chrono::milliseconds(100) : std::chrono::milliseconds(1000);
  }
  void list(Listed which, std::size_t most, Told<Jobs> told) override;
  std::vector<SpanRecord> trace(const JobId& id) const override;

  FarmHealth::State health() const override { return health_.state(); }
  void view_farm(Told<FarmView> told) override {
    ask<FarmView>([](FarmQueue& queue) { return queue.view(); }, std::move(told));
  }
  void stop(std::chrono::milliseconds patience) override;

 private:
  static FarmQueue prepared(const FarmOptions& options, const std::string& session) {
    check(options);
    FarmQueue queue(options, session);
    queue.prepare();
    return queue;
  }

  /// work(queue) in another thread, and what it comes to.
  template <class T, class Work>
  void ask(Work&& work, Told<T> told);

  void look_at(const JobId& id);
  void listen();
  void look_at_all();
  void on_work() override { worker_.wake(); }
  void on_end(const JobId& id) override {
    if (awaited_.has(id)) look_at(id);
  }
  void on_lost(const JobId& id) override { worker_.lose(id); }
  void on_urgent(const JobId& id) override { worker_.hurry(id); }

  const FarmOptions options_;
  engine::Engine& engine_;
  const engine::StatementDecoder& decoder_;
  const std::string session_;
  const InputStore inputs_;
  FarmHealth health_;
  AwaitedJobs awaited_;
  std::atomic<bool> stopped_ = false;
  FarmQueue listening_;  // of the listener's thread alone, but for its interruption
  DeskThreads desk_;
  FarmWorker worker_;
  std::thread listener_;  // last: it uses the others
};

template <class T, class Work>
void JoinedFarm::ask(Work&& work, Told<T> told) {
  const auto shared = std::make_shared<Told<T>>(std::move(told));  // the task is copied, and called at one place
  try {
    desk_.add([this, work = std::forward<Work>(work), shared](FarmQueue& queue) {
      std::optional<Outcome<T>> outcome;
      try {
        // Who asks is answered at once where it is known that the database is gone: the worker tries it again and again.
        if (const auto state = health_.state(); !state.is_connected) throw Error(Code::unavailable, state.reason);
        outcome.emplace(work(queue));
      } catch (...) {
        outcome.emplace(std::current_exception());
      }
      (*shared)(*std::move(outcome));
    });
  } catch (const Error&) {
    (*shared)(std::current_exception());
  }
}

void JoinedFarm::submit(engine::ProofRequest request, std::optional<engine::Clock::time_point> wanted,
                        Told<Accepted> told) {
  decoder_.check_offered(request.input.kind);
  if (request.blinding) throw invalid_input("a proof with a given r and s is not for a farm");
  if (engine_.snapshot().mode == engine::Mode::draining)
    throw Error(Code::unavailable, "the daemon is draining and takes no new jobs");
  inputs_.check_size(request.input);
  NewJob job;
  job.id = to_hex(random_bytes<16>());
  job.request_id = request.request_id;
  job.kind = request.input.kind;
  job.priority = request.priority;
  job.circuit = key_hint(request.input);
  job.input_bytes = request.input.bytes();
  job.partitions = partitions_hint(request.input);
  if (request.deadline)
    job.time_left = std::chrono::duration_cast<std::chrono::milliseconds>(*request.deadline - engine::Clock::now());
  const auto input = std::make_shared<const engine::ProofInput>(std::move(request.input));
  ask<Accepted>(
      [this, job, input, wanted](FarmQueue& queue) {
        NewJob full = job;
        full.digest = engine::digest(*input);
        const Stored stored = inputs_.submit(queue, full, *input, wanted);
        const bool joined = stored.how == Stored::How::joined;
        return Accepted{stored.id, 0, joined ? Accepted::How::joined : Accepted::How::enqueued};
      },
      std::move(told));
}

JobDesk::Ticket JoinedFarm::when_finished(const JobId& id, std::optional<engine::Clock::time_point>,
                                          Told<Result> told) {
  auto ticket = awaited_.add(id, std::move(told));
  if (stopped_) awaited_.tell(id, stopping());
  look_at(id);
  return ticket;
}

/// Tells those who wait for a job if it has ended; from now on this daemon hears of its end.
void JoinedFarm::look_at(const JobId& id) {
  ask<std::optional<FarmJob>>([id](FarmQueue& queue) { return queue.follow(id); },
                              [this, id](const Outcome<std::optional<FarmJob>>& found) {
                                try {
                                  const auto& job = found.value();
                                  if (!job) return awaited_.tell(id, std::make_exception_ptr(unknown(id)));
                                  if (!job->result) return;
                                  awaited_.tell(id, std::make_shared<const engine::JobResult>(*job->result));
                                } catch (const std::exception&) {  // looked at again when the database is there
                                }
                              });
}

void JoinedFarm::cancel(const JobId& id, Told<JobState> told) {
  ask<JobState>(
      [id](FarmQueue& queue) {
        const auto before = queue.cancel(id, "the job was cancelled");
        if (!before) throw unknown(id);
        return *before;
      },
      std::move(told));
}

void JoinedFarm::view(const JobId& id, Told<JobView> told) {
  if (const auto local = worker_.local(id)) {
    try {
      JobView view = engine_.view(*local);
      view.id = id;
      // What the engine calls ended is so once the database says it.
      if (!is_final(view.state)) return told(view);
    } catch (const Error&) {  // forgotten meanwhile
    }
  }
  ask<JobView>(
      [id](FarmQueue& queue) {
        const auto job = queue.fetch(id);
        if (!job) throw unknown(id);
        return view_of(*job);
      },
      std::move(told));
}

void JoinedFarm::list(Listed which, std::size_t most, Told<Jobs> told) {
  ask<Jobs>(
      [which, most](FarmQueue& queue) {
        Jobs jobs;
        const auto rows = queue.list(which == Listed::all ? FarmQueue::Which::all : FarmQueue::Which::unfinished, most);
        std::transform(rows.begin(), rows.end(), std::back_inserter(jobs.jobs), view_of);
        return jobs;
      },
      std::move(told));
}

std::vector<SpanRecord> JoinedFarm::trace(const JobId& id) const {
  const auto local = worker_.local(id);
  if (!local) throw Error(Code::not_found, fmt::format("job '{}' is not proved by this daemon", id));
  return engine_.trace(*local);
}

void JoinedFarm::look_at_all() {
  const auto ids = awaited_.ids();
  if (ids.empty()) return;
  for (const JobId& id : listening_.ended_of(ids)) look_at(id);
}

void JoinedFarm::listen() {
  auto next_look = engine::Clock::now();
  Backoff backoff(options_.lease);
  while (!stopped_) {
    try {
      const bool is_new = listening_.listen(*this, std::chrono::milliseconds(500));
      if (is_new) worker_.wake();
      if (is_new || engine::Clock::now() >= next_look) {
        look_at_all();
        next_look = engine::Clock::now() + kLookAgain;
      }
      backoff.reset();
    } catch (const std::exception& error) {
      log().debug("farm: listening: {}", error.what());
      next_look = {};
      const auto until = engine::Clock::now() + backoff.next();
      while (!stopped_ && engine::Clock::now() < until) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
}

void JoinedFarm::stop(std::chrono::milliseconds patience) {
  if (stopped_.exchange(true)) return;
  worker_.stop(patience);
  listening_.interrupt();
  if (listener_.joinable()) listener_.join();
  desk_.stop();
  awaited_.tell_all(stopping());
}

std::unique_ptr<Farm> join_farm(const FarmOptions& options, engine::Engine& engine,
                                const engine::StatementDecoder& decoder) {
  return std::make_unique<JoinedFarm>(options, engine, decoder);
}

std::string check_database(const FarmOptions& options) {
  check(options);
  FarmQueue queue(options, "check");
  return queue.describe();
}

FarmView look_at_farm(const FarmOptions& options) {
  FarmQueue queue(options, "view");
  return queue.view();
}

}  // namespace cuzk::farm
