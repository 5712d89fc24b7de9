/// What all clients of a load share: whose turn it is, and what became of each call.
#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/support/status.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "load_run.h"

namespace cuzk {
class Error;
}

namespace cuzk::apps {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point begin);

/// A connection of its own, made. Throws Error{unavailable} where there is none within a minute.
std::shared_ptr<grpc::Channel> connect(const server::Connection& daemon);

/// Whose proofs are whose: an answer with a proof that another input got is the worst that can happen.
class Ownership {
 public:
  /// False when the proof is another input's.
  bool add(const std::string& proof, const std::string& input) {
    return owners_.try_emplace(proof, input).first->second == input;
  }
  std::size_t distinct() const { return owners_.size(); }

 private:
  std::map<std::string, std::string> owners_;
};

/// Any thread may call any function but finish().
class LoadState {
 public:
  /// The plan must outlive it.
  explicit LoadState(const LoadPlan& plan);

  const LoadPlan& plan;

  /// The number of the next request; nothing when there are enough.
  std::optional<std::size_t> next();

  /// Which of the plan's requests has this number: as their weights have it.
  std::size_t request_of(std::size_t number) const {
    return plan.order.empty() ? number % plan.requests.size() : plan.order[number % plan.order.size()];
  }

  std::string request_id(std::size_t number) const;

  /// A call for a proof of one of the plan's requests has ended; of an urgent one.
  void end(std::size_t request, const grpc::Status& status, const v1::AwaitProofResponse& answer, double ms);
  void end_urgent(const grpc::Status& status, const v1::AwaitProofResponse& answer, double ms);
  void accepted(const grpc::Status& status, const std::string& job, double ms);
  /// The daemon did not answer a question.
  void unreachable(const Error& error);
  void probed(double status_ms);
  void measured(u64 bytes);
  /// Calls of clients that have an answer of any kind.
  std::size_t ended() const { return ended_; }

  LoadResults finish();

 private:
  bool count(CallResults& mine, const grpc::Status& status, const v1::AwaitProofResponse& answer, double ms,
             const std::string& input);

  const std::string id_;
  const Clock::time_point begun_ = Clock::now();
  std::atomic<std::size_t> issued_ = 0, ended_ = 0;
  std::mutex mutex_;  // guards what follows
  LoadResults results_;
  Ownership proofs_;
  std::vector<std::string> inputs_;  ///< digests of the plan's requests
  std::string urgent_input_;
};

}  // namespace cuzk::apps
