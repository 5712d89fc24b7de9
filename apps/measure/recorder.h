/// Takes the samples of one command's run and keeps what its result holds.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/spans.h"
#include "common/progress_bar.h"
#include "measure/options.h"
#include "measure/result.h"

namespace cuzk::measure {

/// One figure of one sample.
struct Reading {
  std::string name;  ///< goes behind the case's name; empty: the case's own figure
  double value;
  std::string unit = "ms";
  Better better = Better::less;
};
using Sample = std::function<std::vector<Reading>()>;

/// What is to be measured: prepare() makes what a sample needs and returns what takes one. Only one case is prepared at a
/// time. Every sample has the same readings in the same order.
struct Case {
  std::string name;
  std::function<Sample()> prepare;
  std::optional<double> size = std::nullopt;
  std::string size_of = {};
};

/// A sample that is the time of `work` in milliseconds: by a clock on the wall, and "cpu", of all threads of this process.
Sample timed(std::function<void()> work);

/// The time of `work`, in milliseconds.
double time_ms(const std::function<void()>& work);

/// Not for several threads, watch() and progress() aside.
class Recorder {
 public:
  /// The options must outlive it.
  explicit Recorder(const MeasureOptions& options) : options_(options) {}

  /// Prepares the case, warms up, takes the samples.
  void measure(const Case& what);

  void add(Measurement measurement) { result_.measurements.push_back(std::move(measurement)); }
  void add(Series series) { result_.series.push_back(std::move(series)); }

  /// The stages of one proof; `lane_of` says whose work a span is.
  void add_stages(const std::vector<SpanRecord>& records, const std::function<std::string(const SpanRecord&)>& lane_of);

  /// Lines for people, before the table of measurements.
  void say(const std::string& line) { text_ += line + "\n"; }

  /// On a terminal: how far the work is.
  void progress(const std::string& stage, u64 done, u64 total) {
    if (bar_) bar_->show(stage, done, total);
  }
  /// Clears its line.
  void end_progress() { bar_.reset(); }

  const MeasureOptions& options() const { return options_; }
  JsonObject& figures() { return result_.figures; }  ///< more fields of the result's JSON object
  const std::string& text() const { return text_; }
  Result take() { return std::move(result_); }

 private:
  const MeasureOptions& options_;
  std::optional<apps::ProgressBar> bar_{std::in_place};
  Result result_;
  std::string text_;
};

}  // namespace cuzk::measure
