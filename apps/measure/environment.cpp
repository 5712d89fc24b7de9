#include "measure/environment.h"

#include <fmt/chrono.h>
#include <stdio.h>  // popen, of POSIX
#include <sys/utsname.h>

#include <array>
#include <chrono>
#include <fstream>
#include <memory>
#include <sstream>

#include "common/doctor.h"

namespace cuzk::measure {
namespace {

using Entries = std::vector<std::pair<std::string, std::string>>;

/// The values of all lines of /proc/cpuinfo that begin so.
std::vector<double> processor_values(const std::string& name) {
  std::vector<double> values;
  std::ifstream lines("/proc/cpuinfo");
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(name)) values.push_back(std::stod(line.substr(line.find(':') + 1)));
  return values;
}

std::string first_line(const char* file) {
  std::ifstream text(file);
  std::string line;
  std::getline(text, line);
  return line;
}

void add_if_known(Entries& entries, const char* name, const std::string& value) {
  if (!value.empty()) entries.emplace_back(name, value);
}

void add_clock(Entries& entries) {
  if (const auto clocks = processor_values("cpu MHz"); !clocks.empty())
    entries.emplace_back("cpu.clock", fmt::format("{:.0f} MHz when this began", clocks.front()));
  add_if_known(entries, "cpu.governor", first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"));
}

void add_system(Entries& entries) {
  utsname name{};
  if (::uname(&name) == 0)
    entries.emplace_back("system", fmt::format("{} {} {}", name.sysname, name.release, name.machine));
  std::string load = first_line("/proc/loadavg");
  if (!load.empty())
    entries.emplace_back("load", load.substr(0, load.find(' ', load.find(' ', load.find(' ') + 1) + 1)));
}

void add_findings(Entries& entries, const apps::Findings& findings) {
  for (const auto& finding : findings) entries.emplace_back(finding.name, finding.value);
}

/// The lines that a program prints; none where there is no such program.
std::vector<std::string> lines_of(const char* command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command, "re"), ::pclose);
  std::string text;
  std::array<char, 512> part{};
  while (pipe && ::fgets(part.data(), part.size(), pipe.get()) != nullptr) text += part.data();
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    if (!line.empty()) lines.push_back(line);
  return lines;
}

/// As nvidia-smi tells it, in the order of the words asked for.
void add_gpus(Entries& entries) {
  const auto lines = lines_of(
      "nvidia-smi "
      "--query-gpu=name,driver_version,clocks.sm,clocks.max.sm,clocks.mem,memory.total,memory.used,power.limit "
      "--format=csv,noheader 2>/dev/null");
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].find(',') == std::string::npos) continue;  // a message that there is no driver
    entries.emplace_back(fmt::format("gpu.{}", i), lines[i]);
  }
  if (!lines.empty())
    entries.emplace_back("gpu.columns",
                         "name, driver, clock, highest clock, memory's clock, memory, used of it, power limit");
}

void add_build(Entries& entries) {
  add_findings(entries, apps::examine_program());
  entries.emplace_back("build.compiler", fmt::format("gcc {}", __VERSION__));
#ifdef CUZK_BUILD
  entries.emplace_back("build.options", CUZK_BUILD);
#endif
}

}  // namespace

std::vector<std::pair<std::string, std::string>> environment() {
  Entries entries;
  add_findings(entries, apps::examine_machine());
  add_clock(entries);
  add_system(entries);
  add_build(entries);
  add_gpus(entries);
  return entries;
}

std::string time_now() {
  const auto now = std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::system_clock::now());
  return fmt::format("{:%FT%TZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(now)));
}

}  // namespace cuzk::measure
