/// Where a daemon's jobs go: to its own engine, or to a farm. The same questions, and answers that may come later from
/// another thread, as a database may be in between.
#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "base/spans.h"
#include "engine/job.h"
#include "engine/request.h"

namespace cuzk::farm {

/// A value, or why there is none.
template <class T>
class Outcome {
 public:
  Outcome(T value) : content_(std::move(value)) {}                   // NOLINT: as a return value is
  Outcome(std::exception_ptr error) : content_(std::move(error)) {}  // NOLINT

  /// Throws what went wrong.
  const T& value() const {
    if (const auto* error = std::get_if<std::exception_ptr>(&content_)) std::rethrow_exception(*error);
    return std::get<T>(content_);
  }

 private:
  std::variant<T, std::exception_ptr> content_;
};

/// Called once, here or in another thread; must neither block nor throw.
template <class T>
using Told = std::function<void(Outcome<T>)>;

struct Accepted {
  engine::JobId id;
  std::size_t queue_position = 0;  ///< jobs that go before it, about; of a farm it is not known: 0
  enum class How : u8 { enqueued, joined } how = How::enqueued;
};

enum class Listed : u8 { unfinished, all };

/// An error may come by the callback or be thrown: never both. Threads: any may call any function.
class JobDesk {
 public:
  using Result = std::shared_ptr<const engine::JobResult>;

  /// As long as it lives, the callback that it was given for may be called; at its end it is called no more, or being
  /// called.
  using Ticket = std::shared_ptr<void>;

  virtual ~JobDesk() = default;

  /// The job is told when a crash cannot lose it any more. `wanted`: until when the caller waits for that. Errors:
  /// unavailable, resource_exhausted (engine/queue_full.h), invalid_input.
  virtual void submit(engine::ProofRequest request, std::optional<engine::Clock::time_point> wanted,
                      Told<Accepted> told) = 0;

  /// The job's end. `wanted`: until when the caller waits. Error not_found, also later.
  [[nodiscard]] virtual Ticket when_finished(const engine::JobId& id, std::optional<engine::Clock::time_point> wanted,
                                             Told<Result> told) = 0;

  /// In which state the job was.
  virtual void cancel(const engine::JobId& id, Told<engine::JobState> told) = 0;

  virtual void view(const engine::JobId& id, Told<engine::JobView> told) = 0;

  /// How long who watches a job should wait between two views.
  virtual std::chrono::milliseconds between_views(const engine::JobId& id) const = 0;

  /// At most so many of the jobs, in the order of their acceptance, and how many were left out where that is known.
  struct Jobs {
    std::vector<engine::JobView> jobs;
    std::size_t left_out = 0;
  };
  virtual void list(Listed which, std::size_t most, Told<Jobs> told) = 0;

  /// Of jobs that this daemon proves or proved. Throws Error{not_found}.
  virtual std::vector<SpanRecord> trace(const engine::JobId& id) const = 0;
};

}  // namespace cuzk::farm
