/// What a loop costs beside its CPU time: counters of a benchmark.
#pragma once

#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <fstream>
#include <string>
#include <string_view>

namespace cuzk {

/// A field of /proc/self/status, in KiB: "VmRSS:" now, "VmHWM:" at most.
inline double status_kib(std::string_view field) {
  std::ifstream status("/proc/self/status");
  std::string word;
  double value = 0;
  while (status >> word)
    if (word == field) status >> value;
  return value;
}

/// CPU time of the process that the kernel took.
inline double system_milliseconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_stime.tv_sec) * 1e3 + static_cast<double>(usage.ru_stime.tv_usec) / 1e3;
}

/// From construction to end: system_ms, CPU time of an iteration that the kernel took, for pages above all; peak_MiB, how
/// much the process grew at most.
class ProcessCost {
 public:
  explicit ProcessCost(benchmark::State& state) : state_(state) {
    std::ofstream("/proc/self/clear_refs") << "5";  // the peak starts anew
    before_ = status_kib("VmRSS:");
    system_before_ = system_milliseconds();
  }
  ~ProcessCost() {
    const double system = system_milliseconds() - system_before_;
    state_.counters["system_ms"] = benchmark::Counter(system, benchmark::Counter::kAvgIterations);
    state_.counters["peak_MiB"] = (status_kib("VmHWM:") - before_) / 1024;
  }
  ProcessCost(const ProcessCost&) = delete;
  ProcessCost& operator=(const ProcessCost&) = delete;

 private:
  benchmark::State& state_;
  double before_ = 0, system_before_ = 0;
};

}  // namespace cuzk
