/// Timings of a job's stages. A `Span` measures from its construction to its end and puts one record into the job's
/// `Trace`; the trace becomes a flat list, sums per stage, or a Chrome trace (chrome://tracing, ui.perfetto.dev).
///
///     Trace trace;
///     {
///       Span proving(&trace, "prove", 3);      // partition 3
///       Span transform(&trace, "prove.ntt");   // inside it, on the same thread
///     }
///     for (const auto& [stage, ms] : trace.totals_ms()) ...
///
/// Threads: spans of one trace may begin and end on any thread, at the same time. Cost: two clock readings and one
/// insertion under a mutex, so a span belongs around a stage, not into a loop over points.
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/types.h"

namespace cuzk {

/// One measured stage.
struct SpanRecord {
  std::string name;                  ///< such as "prove.msm_h"; dots divide levels
  std::optional<u32> item;           ///< which partition or sector, where there are several
  std::chrono::nanoseconds start{};  ///< since the trace was made
  std::chrono::nanoseconds duration{};
  u32 thread = 0;  ///< small number, the same for all spans of one thread of the process
};

/// Collects the records of one job. It must outlive its spans.
class Trace {
 public:
  using Clock = std::chrono::steady_clock;

  Trace() : origin_(Clock::now()) {}

  /// Adds a stage that something else has measured, such as a device. Calling thread taken as the stage's thread.
  void add(std::string_view name, std::optional<u32> item, Clock::time_point begin, Clock::time_point end);

  /// All records so far, by start.
  std::vector<SpanRecord> records() const;

  /// Sum of durations per name in milliseconds, in order of first start. A span's sum contains those nested in it.
  std::vector<std::pair<std::string, double>> totals_ms() const;

  /// Forgets all records and frees their memory.
  void clear();

 private:
  Clock::time_point origin_;
  mutable std::mutex mutex_;
  std::vector<SpanRecord> records_;
};

/// Measures its own lifetime. A null trace measures nothing.
class Span {
 public:
  explicit Span(Trace* trace, std::string_view name, std::optional<u32> item = std::nullopt);
  ~Span() { end(); }
  Span(const Span&) = delete;
  Span& operator=(const Span&) = delete;

  /// Ends the span before its scope does; later calls do nothing.
  void end() noexcept;

 private:
  Trace* trace_;
  std::string name_;
  std::optional<u32> item_;
  Trace::Clock::time_point begin_;
};

/// The Chrome trace event format: complete events, microseconds, one process.
std::string chrome_trace_json(const std::vector<SpanRecord>& records);

}  // namespace cuzk
