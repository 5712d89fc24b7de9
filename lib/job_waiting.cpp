#include "job_waiting.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "base/json_object.h"

namespace cuzk::lib {

namespace {

using engine::Clock;

/// Often enough for a progress bar.
constexpr auto kBetweenLooks = std::chrono::milliseconds(100);

/// The end of waiting; nothing where it would be further away than a clock can say.
std::optional<Clock::time_point> end_in(u64 milliseconds) {
  constexpr u64 kYear = u64{365} * 24 * 60 * 60 * 1000;
  if (milliseconds > kYear) return std::nullopt;
  return Clock::now() + std::chrono::milliseconds(milliseconds);
}

/// Tells a listener what has changed.
class Teller {
 public:
  explicit Teller(Listener listener) : listener_(listener) {}

  /// Throws Error{cancelled} where the listener wants no more.
  void tell(const engine::JobView& job) {
    auto now = std::make_tuple(job.state, job.stage, job.partitions_done, job.partitions, job.stage_done);
    if (now == told_) return;
    told_ = std::move(now);
    cuzk_progress progress{};
    progress.state = state_of(job.state);
    progress.partitions_done = static_cast<u32>(job.partitions_done);
    progress.partitions = static_cast<u32>(job.partitions);
    progress.percent = job.percent();
    progress.stage = job.stage.c_str();
    progress.stage_done = job.stage_done;
    progress.stage_total = job.stage_total;
    if (listener_.function(&progress, listener_.context) != 0)
      throw Error(Code::cancelled, "the progress callback ended the waiting; the job goes on");
  }

 private:
  const Listener listener_;
  std::optional<std::tuple<engine::JobState, std::string, std::size_t, std::size_t, u64>> told_;
};

}  // namespace

engine::JobId submit(Core& core, engine::ProofRequest request) {
  const auto recorded = std::make_shared<std::promise<void>>();  // the engine may be told of it after a failure here
  auto done = recorded->get_future();
  return core.use([&](Works& works) {
    auto accepted = works.engine().submit(std::move(request), [recorded](const std::exception_ptr& error) {
      error == nullptr ? recorded->set_value() : recorded->set_exception(error);
    });
    done.get();
    return accepted.id;
  });
}

engine::Engine::Result wait(engine::Engine& engine, const engine::JobId& id, u64 timeout_ms, Listener listener) {
  const auto end = end_in(timeout_ms);
  Teller teller(listener);
  for (;;) {
    auto look = end;
    if (listener.function != nullptr) {
      teller.tell(engine.view(id));
      const auto next = Clock::now() + kBetweenLooks;
      look = end ? std::min(*end, next) : next;
    }
    if (auto result = engine.wait(id, look)) {
      if (listener.function != nullptr) teller.tell(engine.view(id));
      return result;
    }
    if (end && Clock::now() >= *end) {
      throw Error(Code::deadline,
                  fmt::format("job {} has not ended after {} ms of waiting; it goes on", id, timeout_ms));
    }
  }
}

cuzk_state state_of(engine::JobState state) {
  switch (state) {
    case engine::JobState::queued: return CUZK_JOB_QUEUED;
    case engine::JobState::running: return CUZK_JOB_RUNNING;
    case engine::JobState::completed: return CUZK_JOB_COMPLETED;
    case engine::JobState::failed: return CUZK_JOB_FAILED;
    case engine::JobState::cancelled: return CUZK_JOB_CANCELLED;
    case engine::JobState::timed_out: return CUZK_JOB_TIMED_OUT;
  }
  return 0;
}

std::string job_json(const engine::JobView& job) {
  JsonObject object;
  object.add("job_id", job.id).add("request_id", job.request_id).add("proof_kind", name(job.kind));
  object.add("state", name(job.state)).add("stage", job.stage);
  object.add("partitions_done", job.partitions_done).add("partitions", job.partitions).add("percent", job.percent());
  object.add("queued_ms", job.queued.count()).add("running_ms", job.ran.count());
  return object.add("error_message", job.message).text();
}

std::string timings_json(const engine::JobResult& result) {
  const auto& times = result.timings;
  JsonObject object, stages;
  object.add("queue_wait_ms", times.queued.count()).add("srs_load_ms", times.key_load.count());
  object.add("synthesis_ms", times.synthesis.count()).add("gpu_compute_ms", times.device.count());
  for (const auto& [stage, milliseconds] : times.stages_ms) stages.add(stage, milliseconds);
  return object.add("total_ms", times.total.count()).add("stages_ms", stages).text();
}

}  // namespace cuzk::lib
