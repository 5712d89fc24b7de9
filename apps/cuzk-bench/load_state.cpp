#include "load_state.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/hex.h"
#include "base/random.h"
#include "hash/sha256.h"

namespace cuzk::apps {
namespace {

constexpr auto kConnectTimeout = std::chrono::seconds(60);
constexpr std::size_t kErrorsKept = 10;

/// SHA-256 of everything of a request that its proof depends on.
std::string digest_of(v1::SubmitProofRequest message) {
  message.clear_request_id();
  message.clear_priority();
  message.clear_proof_kind();
  const std::string bytes = message.SerializeAsString();
  Sha256 hash;
  hash.update({reinterpret_cast<const u8*>(bytes.data()), bytes.size()});
  return to_hex(hash.finish());
}

void count_error(CallResults& results, const std::string& message) {
  ++results.failed;
  if (results.errors.size() < kErrorsKept || results.errors.contains(message)) ++results.errors[message];
}

}  // namespace

double ms_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

std::shared_ptr<grpc::Channel> connect(const server::Connection& daemon) {
  auto channel = server::open_channel(daemon, server::Sharing::own);
  if (channel->WaitForConnected(std::chrono::system_clock::now() + kConnectTimeout)) return channel;
  throw Error(Code::unavailable,
              fmt::format("daemon at {}: no connection within {} s", daemon.address, kConnectTimeout.count()));
}

LoadState::LoadState(const LoadPlan& plan)
    : plan(plan), id_(to_hex(random_bytes<4>())) {  // so that a second run's requests join none of the first
  for (const auto& request : plan.requests) inputs_.push_back(digest_of(request));
  if (plan.urgent) urgent_input_ = digest_of(*plan.urgent);
}

std::optional<std::size_t> LoadState::next() {
  const std::size_t number = issued_++;
  return number < plan.total ? std::optional(number) : std::nullopt;
}

std::string LoadState::request_id(std::size_t number) const { return fmt::format("stress-{}-{}", id_, number); }

bool LoadState::count(CallResults& mine, const grpc::Status& status, const v1::AwaitProofResponse& answer, double ms,
                      const std::string& input) {
  if (status.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED) {
    mine.refused.add(ms);
    return false;
  }
  if (!status.ok() || answer.status() != v1::AwaitProofResponse::COMPLETED) {
    count_error(mine, status.ok() ? answer.error_message() : status.error_message());
    return false;
  }
  mine.answered.add(ms);
  mine.own.add(std::max(0.0, ms - static_cast<double>(answer.gpu_compute_ms())));
  if (!proofs_.add(answer.proof(), input)) ++results_.mixed_up;
  return true;
}

void LoadState::end(std::size_t request, const grpc::Status& status, const v1::AwaitProofResponse& answer, double ms) {
  ++ended_;
  const std::lock_guard lock(mutex_);
  if (!count(results_.clients, status, answer, ms, inputs_[request])) return;
  if (!plan.labels.empty()) results_.by_kind[plan.labels[request]].add(ms);
  const auto second = static_cast<std::size_t>(ms_since(begun_) / 1000);
  if (results_.each_second.size() <= second) results_.each_second.resize(second + 1);
  ++results_.each_second[second];
}

void LoadState::end_urgent(const grpc::Status& status, const v1::AwaitProofResponse& answer, double ms) {
  const std::lock_guard lock(mutex_);
  count(results_.urgent, status, answer, ms, urgent_input_);
}

void LoadState::accepted(const grpc::Status& status, const std::string& job, double ms) {
  ++ended_;
  const std::lock_guard lock(mutex_);
  CallResults& mine = results_.clients;
  if (status.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED) return mine.refused.add(ms);
  if (!status.ok()) return count_error(mine, status.error_message());
  mine.answered.add(ms);
  results_.jobs.push_back(job);
}

void LoadState::unreachable(const Error& error) {
  const std::lock_guard lock(mutex_);
  count_error(results_.clients, error.what());
}

void LoadState::probed(double status_ms) {
  const std::lock_guard lock(mutex_);
  results_.status.add(status_ms);
}

void LoadState::measured(u64 bytes) {
  const std::lock_guard lock(mutex_);
  results_.memory.push_back(bytes);
}

LoadResults LoadState::finish() {
  const std::lock_guard lock(mutex_);
  results_.distinct = proofs_.distinct();
  results_.seconds = ms_since(begun_) / 1000;
  return std::move(results_);
}

}  // namespace cuzk::apps
