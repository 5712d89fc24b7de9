/// What the caller of long work hears of it, how it stops it, and how closely a key is looked at.
#pragma once

#include <optional>
#include <stop_token>
#include <string_view>

#include "base/error.h"
#include "base/progress.h"
#include "base/spans.h"

namespace cuzk::groth16 {

/// Everything here may be left as it is: then nobody watches and nothing stops.
///
/// Names of spans are stable, for they appear in answers, metrics and traces: "load_key"; of a proof "evaluate",
/// "quotient", "msm_h", "msm_l", "msm_a", "msm_b_g1", "msm_b_g2", "finish"; "verify". Spans may overlap.
struct Control {
  std::stop_token stop{};                  ///< when it is asked to stop, the work throws Error{cancelled} soon
  Trace* trace = nullptr;                  ///< gets a span for each stage
  std::optional<u32> item = std::nullopt;  ///< the partition or sector that the spans are of
  ProgressCallback on_progress{};          ///< of loading and making keys

  Span span(std::string_view name) const { return Span(trace, name, item); }

  /// Throws Error{cancelled} when the caller asked to stop; `work` is for the message, such as "proof".
  void check(std::string_view work) const {
    if (stop.stop_requested()) throw Error(Code::cancelled, fmt::format("{}: cancelled by its caller", work));
  }
};

enum class KeyCheck {
  known,      ///< lengths; every coordinate canonical: for a file whose points were checked before
  points,     ///< lengths; every point canonical, on its curve and not infinity
  subgroups,  ///< and in the subgroup of order r: minutes for a large key
};

}  // namespace cuzk::groth16
