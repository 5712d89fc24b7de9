#include "base/machine_memory.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

namespace cuzk {

namespace {

namespace fs = std::filesystem;

/// The number behind a name in a file of lines "Name:   123 kB", in bytes.
u64 kilobytes_of(const char* file, const std::string& name) {
  std::ifstream lines(file);
  for (std::string word; lines >> word;) {
    u64 number = 0;
    if (word == name && lines >> number) return number << 10;
  }
  return 0;
}

/// A file that holds one number; nothing for "max" or where there is no such file.
std::optional<u64> number_in(const fs::path& file) {
  u64 number = 0;
  std::ifstream text(file);
  if (text >> number) return number;
  return std::nullopt;
}

/// The folder of the process's control group; empty without version 2.
fs::path control_group() {
  std::ifstream lines("/proc/self/cgroup");
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("0::/")) return fs::path("/sys/fs/cgroup") / line.substr(4);
  return {};
}

/// Each group on the way up may have a limit; all of them hold.
void apply_limits(MachineMemory& memory) {
  const fs::path root = "/sys/fs/cgroup";
  for (fs::path group = control_group(); group.string().starts_with(root.string()); group = group.parent_path()) {
    const auto limit = number_in(group / "memory.max");
    if (!limit) continue;
    const u64 taken = number_in(group / "memory.current").value_or(0);
    memory.total = std::min(memory.total, *limit);
    memory.available = std::min(memory.available, *limit - std::min(*limit, taken));
  }
}

}  // namespace

MachineMemory machine_memory() {
  MachineMemory memory;
  memory.total = kilobytes_of("/proc/meminfo", "MemTotal:");
  memory.available = kilobytes_of("/proc/meminfo", "MemAvailable:");
  memory.used = kilobytes_of("/proc/self/status", "VmRSS:");
  apply_limits(memory);
  return memory;
}

}  // namespace cuzk
