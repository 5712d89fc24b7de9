#include "load_run.h"

#include <grpcpp/alarm.h>
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/hex.h"
#include "base/random.h"
#include "cuzk/v1/proving.grpc.pb.h"
#include "hash/sha256.h"
#include "server/client.h"
#include "server/file_limit.h"

namespace cuzk::apps {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kConnectTimeout = std::chrono::seconds(60);
constexpr std::size_t kErrorsKept = 10;

double ms_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

std::shared_ptr<grpc::Channel> connect(const server::Connection& daemon) {
  auto channel = server::open_channel(daemon, server::Sharing::own);
  if (channel->WaitForConnected(std::chrono::system_clock::now() + kConnectTimeout)) return channel;
  throw Error(Code::unavailable,
              fmt::format("daemon at {}: no connection within {} s", daemon.address, kConnectTimeout.count()));
}

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

/// What all clients share.
class Run {
 public:
  explicit Run(const LoadPlan& plan) : plan(plan) {
    for (const auto& request : plan.requests) inputs_.push_back(digest_of(request));
    if (plan.urgent) urgent_input_ = digest_of(*plan.urgent);
  }

  const LoadPlan& plan;

  /// The number of the next request; nothing when there are enough.
  std::optional<std::size_t> next() {
    const std::size_t number = issued_++;
    return number < plan.total ? std::optional(number) : std::nullopt;
  }

  std::string request_id(std::size_t number) const { return fmt::format("stress-{}-{}", id_, number); }

  const std::string& input(std::size_t request) const { return inputs_[request]; }
  const std::string& urgent_input() const { return urgent_input_; }

  /// A call for a proof of this input has ended.
  void end(CallResults LoadResults::*calls, const grpc::Status& status, const v1::AwaitProofResponse& answer, double ms,
           const std::string& input) {
    const std::lock_guard lock(mutex_);
    CallResults& mine = results_.*calls;
    if (status.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED) return mine.refused.add(ms);
    if (!status.ok() || answer.status() != v1::AwaitProofResponse::COMPLETED) {
      return count_error(mine, status.ok() ? answer.error_message() : status.error_message());
    }
    mine.answered.add(ms);
    mine.own.add(std::max(0.0, ms - static_cast<double>(answer.gpu_compute_ms())));
    if (!proofs_.add(answer.proof(), input)) ++results_.mixed_up;
  }

  void accepted(const grpc::Status& status, const std::string& job, double ms) {
    const std::lock_guard lock(mutex_);
    CallResults& mine = results_.clients;
    if (status.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED) return mine.refused.add(ms);
    if (!status.ok()) return count_error(mine, status.error_message());
    mine.answered.add(ms);
    results_.jobs.push_back(job);
  }

  void unreachable(const Error& error) {
    const std::lock_guard lock(mutex_);
    count_error(results_.clients, error.what());
  }

  void probed(double status_ms) {
    const std::lock_guard lock(mutex_);
    results_.status.add(status_ms);
  }

  void measured(u64 bytes) {
    const std::lock_guard lock(mutex_);
    results_.memory.push_back(bytes);
  }

  LoadResults finish() {
    const std::lock_guard lock(mutex_);
    results_.distinct = proofs_.distinct();
    results_.seconds = ms_since(begun_) / 1000;
    return std::move(results_);
  }

 private:
  static void count_error(CallResults& results, const std::string& message) {
    ++results.failed;
    if (results.errors.size() < kErrorsKept || results.errors.contains(message)) ++results.errors[message];
  }

  const std::string id_ = to_hex(random_bytes<4>());  // so that a second run's requests join none of the first
  const Clock::time_point begun_ = Clock::now();
  std::atomic<std::size_t> issued_ = 0;
  std::mutex mutex_;
  LoadResults results_;
  Ownership proofs_;
  std::vector<std::string> inputs_;
  std::string urgent_input_;
};

/// One connection with one request at a time. No thread waits for it; what it waits for keeps it alive.
class LoadClient : public std::enable_shared_from_this<LoadClient> {
 public:
  /// on_end: called once, when there are no more requests for it.
  LoadClient(Run& run, std::shared_ptr<grpc::Channel> channel, std::function<void()> on_end)
      : run_(run), stub_(v1::ProvingEngine::NewStub(std::move(channel))), on_end_(std::move(on_end)) {}

  /// Sends its first request after `delay`.
  void start(std::chrono::milliseconds delay) {
    turn_ = Clock::now() + delay;
    wait_for_turn();
  }

 private:
  void wait_for_turn() {
    const auto left = std::max(Clock::duration::zero(), turn_ - Clock::now());
    alarm_.emplace().Set(std::chrono::system_clock::now() + left, [self = shared_from_this()](bool) { self->send(); });
  }

  void send() {
    const auto number = run_.next();
    if (!number) return end();
    request_ = *number % run_.plan.requests.size();
    v1::SubmitProofRequest message = run_.plan.requests[request_];
    message.set_request_id(run_.request_id(*number));
    context_ = std::make_unique<grpc::ClientContext>();
    begun_ = Clock::now();
    if (run_.plan.waiting == LoadPlan::Waiting::for_acceptance) {
      submit(std::move(message));
    } else {
      prove(std::move(message));
    }
  }

  /// An alarm keeps what it calls, and so this object, as long as it is there.
  void end() {
    alarm_.reset();
    on_end_();
  }

  void prove(v1::SubmitProofRequest message) {
    *prove_.mutable_submit() = std::move(message);
    proof_.Clear();
    stub_->async()->Prove(context_.get(), &prove_, &proof_, [self = shared_from_this()](const grpc::Status& status) {
      self->run_.end(&LoadResults::clients, status, self->proof_.result(), ms_since(self->begun_),
                     self->run_.input(self->request_));
      self->rest();
    });
  }

  void submit(v1::SubmitProofRequest message) {
    submit_ = std::move(message);
    stub_->async()->SubmitProof(context_.get(), &submit_, &accepted_,
                                [self = shared_from_this()](const grpc::Status& status) {
                                  self->run_.accepted(status, self->accepted_.job_id(), ms_since(self->begun_));
                                  self->rest();
                                });
  }

  void rest() {
    turn_ = std::max(turn_ + run_.plan.interval, Clock::now());
    wait_for_turn();
  }

  Run& run_;
  const std::unique_ptr<v1::ProvingEngine::Stub> stub_;
  const std::function<void()> on_end_;
  std::optional<grpc::Alarm> alarm_;
  std::unique_ptr<grpc::ClientContext> context_;
  v1::ProveRequest prove_;
  v1::ProveResponse proof_;
  v1::SubmitProofRequest submit_;
  v1::SubmitProofResponse accepted_;
  Clock::time_point turn_, begun_;
  std::size_t request_ = 0;
};

/// Waits in this thread until `next` or the stop; false at the stop.
class Pace {
 public:
  bool wait_until(Clock::time_point next, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    changed_.wait_until(lock, stop, next, [] { return false; });
    return !stop.stop_requested();
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
};

/// Calls `work` at every interval, in a thread, until its end.
std::jthread repeat(std::chrono::milliseconds interval, std::function<void()> work) {
  return std::jthread([interval, work = std::move(work)](const std::stop_token& stop) {
    Pace pace;
    auto next = Clock::now();
    do {
      work();
      next = std::max(next + interval, Clock::now());
    } while (pace.wait_until(next, stop));
  });
}

std::jthread start_urgent(Run& run) {
  const std::shared_ptr<v1::ProvingEngine::Stub> stub = v1::ProvingEngine::NewStub(connect(run.plan.daemon));
  return repeat(run.plan.urgent_interval, [&run, stub, number = std::size_t{0}]() mutable {
    v1::ProveRequest request;
    *request.mutable_submit() = *run.plan.urgent;
    request.mutable_submit()->set_request_id(run.request_id(number++) + "-urgent");
    request.mutable_submit()->set_priority(v1::CRITICAL);
    grpc::ClientContext context;
    v1::ProveResponse answer;
    const auto begin = Clock::now();
    const auto status = stub->Prove(&context, request, &answer);
    run.end(&LoadResults::urgent, status, answer.result(), ms_since(begin), run.urgent_input());
  });
}

/// Asks the daemon at every interval; that it does not answer is counted as a failure.
std::jthread ask(Run& run, std::chrono::milliseconds interval, std::function<void(server::Client&)> question) {
  const auto client = std::make_shared<server::Client>(run.plan.daemon);
  return repeat(interval, [&run, client, question = std::move(question)] {
    try {
      question(*client);
    } catch (const Error& error) {
      run.unreachable(error);
    }
  });
}

std::jthread start_prober(Run& run) {
  return ask(run, run.plan.probe_interval, [&run](server::Client& client) {
    const auto begin = Clock::now();
    client.status();
    run.probed(ms_since(begin));
  });
}

/// The value of a metric without labels; 0 where it is not there.
u64 metric(const std::string& text, const std::string& name) {
  const auto at = text.find("\n" + name + " ");
  return at == std::string::npos ? 0 : static_cast<u64>(std::stod(text.substr(at + name.size() + 2)));
}

std::jthread start_watching_memory(Run& run) {
  return ask(run, std::chrono::seconds(1),
             [&run](server::Client& client) { run.measured(metric(client.metrics(), "cuzk_resident_bytes")); });
}

/// Waits until so many clients have ended.
class Ends {
 public:
  explicit Ends(std::size_t count) : left_(count) {}

  void one() {
    const std::lock_guard lock(mutex_);
    if (--left_ == 0) changed_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return left_ == 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t left_;
};

std::vector<std::shared_ptr<grpc::Channel>> connect_all(const LoadPlan& plan) {
  std::vector<std::shared_ptr<grpc::Channel>> channels;
  for (std::size_t i = 0; i < plan.clients; ++i) channels.push_back(connect(plan.daemon));
  return channels;
}

void run_clients(Run& run, const std::vector<std::shared_ptr<grpc::Channel>>& channels) {
  const auto ends = std::make_shared<Ends>(channels.size());
  const auto memory = start_watching_memory(run), prober = start_prober(run);
  const auto urgent = run.plan.urgent ? start_urgent(run) : std::jthread();
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const auto delay = run.plan.interval * static_cast<i64>(i) / static_cast<i64>(channels.size());
    std::make_shared<LoadClient>(run, channels[i], [ends] { ends->one(); })->start(delay);
  }
  ends->wait();
}

}  // namespace

double Latencies::quantile(double part) const {
  if (samples_.empty()) return 0;
  std::vector<double> sorted = samples_;
  std::sort(sorted.begin(), sorted.end());
  const auto rank = static_cast<std::size_t>(std::ceil(part * static_cast<double>(sorted.size())));
  return sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1];
}

LoadResults run_load(const LoadPlan& plan) {
  server::allow_many_files();
  const auto channels = connect_all(plan);
  Run run(plan);
  run_clients(run, channels);
  return run.finish();
}

}  // namespace cuzk::apps
