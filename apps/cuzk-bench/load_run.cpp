#include "load_run.h"

#include <grpcpp/alarm.h>
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "base/error.h"
#include "cuzk/v1/proving.grpc.pb.h"
#include "load_state.h"
#include "open_loop.h"
#include "server/client.h"
#include "server/file_limit.h"

namespace cuzk::apps {

namespace {

/// One connection with one request at a time. No thread waits for it; what it waits for keeps it alive.
class LoadClient : public std::enable_shared_from_this<LoadClient> {
 public:
  /// on_end: called once, when there are no more requests for it.
  LoadClient(LoadState& run, std::shared_ptr<grpc::Channel> channel, std::function<void()> on_end)
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
    request_ = run_.request_of(*number);
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
      self->run_.end(self->request_, status, self->proof_.result(), ms_since(self->begun_));
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

  LoadState& run_;
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

std::jthread start_urgent(LoadState& run) {
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
    run.end_urgent(status, answer.result(), ms_since(begin));
  });
}

/// Asks the daemon at every interval; that it does not answer is counted as a failure.
std::jthread ask(LoadState& run, std::chrono::milliseconds interval, std::function<void(server::Client&)> question) {
  const auto client = std::make_shared<server::Client>(run.plan.daemon);
  return repeat(interval, [&run, client, question = std::move(question)] {
    try {
      question(*client);
    } catch (const Error& error) {
      run.unreachable(error);
    }
  });
}

std::jthread start_prober(LoadState& run) {
  return ask(run, run.plan.probe_interval, [&run](server::Client& client) {
    const auto begin = Clock::now();
    client.status();
    run.probed(ms_since(begin));
    if (run.plan.on_progress) run.plan.on_progress(run.ended());
  });
}

/// The value of a metric without labels; 0 where it is not there.
u64 metric(const std::string& text, const std::string& name) {
  const auto at = text.find("\n" + name + " ");
  return at == std::string::npos ? 0 : static_cast<u64>(std::stod(text.substr(at + name.size() + 2)));
}

std::jthread start_watching_memory(LoadState& run) {
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

void run_closed_loop(LoadState& run, const std::vector<std::shared_ptr<grpc::Channel>>& channels) {
  const auto ends = std::make_shared<Ends>(channels.size());
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const auto delay = run.plan.interval * static_cast<i64>(i) / static_cast<i64>(channels.size());
    std::make_shared<LoadClient>(run, channels[i], [ends] { ends->one(); })->start(delay);
  }
  ends->wait();
}

void run_clients(LoadState& run, const std::vector<std::shared_ptr<grpc::Channel>>& channels) {
  const auto memory = start_watching_memory(run), prober = start_prober(run);
  const auto urgent = run.plan.urgent ? start_urgent(run) : std::jthread();
  run.plan.arrivals ? run_open_loop(run, channels) : run_closed_loop(run, channels);
}

}  // namespace

LoadResults run_load(const LoadPlan& plan) {
  server::allow_many_files();
  const auto channels = connect_all(plan);
  LoadState run(plan);
  run_clients(run, channels);
  return run.finish();
}

}  // namespace cuzk::apps
