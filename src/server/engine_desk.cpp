#include "server/engine_desk.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace cuzk::server {

using engine::JobId;
using farm::Accepted;
using farm::Told;

namespace {

/// A job that is told once the engine has given its id and has it on the disk: whichever is last.
struct Acceptance {
  Told<Accepted> told;
  Accepted accepted;
  std::exception_ptr error;
  std::atomic<int> missing = 2;

  void arrive() {
    if (--missing != 0) return;
    told(error == nullptr ? farm::Outcome<Accepted>(accepted) : farm::Outcome<Accepted>(error));
  }
};

/// Often enough for a progress bar, seldom enough for a thousand watchers.
constexpr auto kBetweenViews = std::chrono::milliseconds(100);

}  // namespace

void EngineDesk::submit(engine::ProofRequest request, std::optional<engine::Clock::time_point>, Told<Accepted> told) {
  using How = engine::Engine::Accepted::How;
  const auto acceptance = std::make_shared<Acceptance>();
  acceptance->told = std::move(told);
  const auto accepted = engine_.submit(std::move(request), [acceptance](std::exception_ptr error) {
    acceptance->error = std::move(error);
    acceptance->arrive();
  });
  const auto how = accepted.how == How::joined ? Accepted::How::joined : Accepted::How::enqueued;
  acceptance->accepted = {accepted.id, accepted.queue_position, how};
  acceptance->arrive();
}

farm::JobDesk::Ticket EngineDesk::when_finished(const JobId& id, std::optional<engine::Clock::time_point> wanted,
                                                Told<Result> told) {
  return std::make_shared<engine::Engine::Subscription>(engine_.when_finished(
      id, [told = std::move(told)](const engine::Engine::Result& result) { told(result); }, wanted));
}

void EngineDesk::cancel(const JobId& id, Told<engine::JobState> told) { told(engine_.cancel(id)); }

void EngineDesk::view(const JobId& id, Told<engine::JobView> told) { told(engine_.view(id)); }

std::chrono::milliseconds EngineDesk::between_views(const JobId&) const { return kBetweenViews; }

void EngineDesk::list(farm::Listed which, std::size_t most, Told<Jobs> told) {
  using Which = engine::Engine::Which;
  Jobs jobs{engine_.list(which == farm::Listed::all ? Which::all : Which::unfinished), 0};
  if (jobs.jobs.size() > most) {
    jobs.left_out = jobs.jobs.size() - most;
    jobs.jobs.resize(most);
  }
  told(std::move(jobs));
}

}  // namespace cuzk::server
