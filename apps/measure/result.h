/// What a measuring command gives: everything that its report shows, and everything that a later run is compared with.
///
/// A result is written as JSON (result_json.h), as CSV, as a table for a terminal and as one HTML page (report.h); several
/// results make one page together.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json_object.h"
#include "measure/statistics.h"

namespace cuzk::measure {

/// Which way is good.
enum class Better { less, more };

/// What the same measurement came to elsewhere.
struct Baseline {
  std::string of;  ///< a file, or a program
  enum class Taken { before, in_turn } taken = Taken::before;
  std::vector<double> samples;
};

/// One quantity, in the order in which its samples were taken.
struct Measurement {
  std::string name;  ///< stable, dots divide levels, such as "msm.g1"
  std::string unit;  ///< such as "ms", "proofs/s"
  Better better = Better::less;
  std::optional<double> size = {};  ///< what it grows with, such as 1048576
  std::string size_of = {};         ///< what the size counts, such as "scalars"
  std::vector<double> samples = {};
  std::optional<Baseline> baseline = {};

  /// With the baseline, where there is one; `comparisons` share the risk of a wrong verdict.
  std::optional<Comparison> comparison(std::size_t comparisons) const;
};

/// A stage of one proof, for the waterfall and the timeline.
struct Stage {
  std::string name;                   ///< such as "msm_h"
  std::string lane;                   ///< who did it, such as "host 1", "device"
  std::optional<unsigned> item = {};  ///< which partition
  double start_ms = 0, ms = 0;
};

/// What was watched while the command ran.
struct Series {
  std::string name, unit;                         ///< such as "resident memory", "MB"
  std::vector<std::pair<double, double>> points;  ///< seconds since the begin, value
};

struct Result {
  std::string command;                                           ///< such as "msm"
  std::vector<std::string> arguments;                            ///< as they were given
  std::string begun;                                             ///< UTC, "2026-01-31T12:00:00Z"
  std::vector<std::pair<std::string, std::string>> environment;  ///< machine, build, devices: names as of `cuzk doctor`
  std::vector<std::string> without;                              ///< optimizations that were left out
  unsigned warmup = 0;                                           ///< samples that were taken before and forgotten
  std::vector<Measurement> measurements;
  std::vector<Stage> stages;
  std::vector<Series> series;
  JsonObject figures;  ///< more fields of the JSON object, which the command knows; not read back

  /// How many of the measurements have a baseline: they share the risk of a wrong verdict.
  std::size_t comparisons() const;
};

}  // namespace cuzk::measure
