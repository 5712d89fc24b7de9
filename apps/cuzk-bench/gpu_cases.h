/// Products and transforms on a GPU as cases of a measurement. In a build without CUDA, and on a machine without a GPU, all of
/// these throw Error{unavailable} that says so.
#pragma once

#include <string>
#include <vector>

#include "measure/recorder.h"

namespace cuzk::apps {

std::vector<measure::Case> gpu_ntt_cases(std::size_t size);

/// group: "g1" or "g2"; kind: "product" or "bits", else Error{invalid_input}.
measure::Case gpu_msm_case(const std::string& group, const std::string& kind, std::size_t size);

}  // namespace cuzk::apps
