/// The desk of a daemon whose jobs go to its own engine.
#pragma once

#include "engine/engine.h"
#include "farm/job_desk.h"

namespace cuzk::server {

class EngineDesk final : public farm::JobDesk {
 public:
  /// The engine must outlive it.
  explicit EngineDesk(engine::Engine& engine) : engine_(engine) {}

  void submit(engine::ProofRequest request, std::optional<engine::Clock::time_point> wanted,
              farm::Told<farm::Accepted> told) override;
  Ticket when_finished(const engine::JobId& id, std::optional<engine::Clock::time_point> wanted,
                       farm::Told<Result> told) override;
  void cancel(const engine::JobId& id, farm::Told<engine::JobState> told) override;
  void view(const engine::JobId& id, farm::Told<engine::JobView> told) override;
  std::chrono::milliseconds between_views(const engine::JobId& id) const override;
  void list(farm::Listed which, std::size_t most, farm::Told<Jobs> told) override;
  std::vector<SpanRecord> trace(const engine::JobId& id) const override { return engine_.trace(id); }

 private:
  engine::Engine& engine_;
};

}  // namespace cuzk::server
