/// Where and when something was measured: what a reader needs to judge a figure, and to measure it again.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace cuzk::measure {

/// Names and values in order: processor and its clock, the path taken on it, threads, memory, load, kernel, the build (version,
/// compiler, libraries), and each GPU with its driver, clocks and memory as nvidia-smi says them. What is not known is left
/// out.
std::vector<std::pair<std::string, std::string>> environment();

/// Now, in UTC: "2026-01-31T12:00:00Z".
std::string time_now();

}  // namespace cuzk::measure
