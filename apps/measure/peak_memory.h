/// The most memory that this process held during a piece of work.
#pragma once

#include <fstream>
#include <string>

namespace cuzk::measure {

/// Counts from its construction; one at a time.
class PeakMemory {
 public:
  PeakMemory() { std::ofstream("/proc/self/clear_refs") << '5'; }  // the kernel's peak begins anew

  /// Resident megabytes at most; 0 where the system does not tell.
  double megabytes() const {
    std::ifstream lines("/proc/self/status");
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("VmHWM:")) return std::stod(line.substr(6)) * 1024 / 1e6;
    return 0;
  }
};

}  // namespace cuzk::measure
