#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/machine_memory.h"
#include "base/thread_pool.h"
#include "common/doctor.h"
#include "field/kernels.h"
#include "hash/sha256.h"

namespace cuzk::apps {

std::string gibibytes(u64 bytes) { return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / (u64{1} << 30)); }

namespace {

namespace fs = std::filesystem;

/// The first line of a file, without its end; empty where there is none.
std::string first_line(const fs::path& file) {
  std::ifstream text(file);
  std::string line;
  std::getline(text, line);
  return line;
}

std::string processor_name() {
  std::ifstream lines("/proc/cpuinfo");
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("model name")) return line.substr(std::min(line.size(), line.find(':') + 2));
  }
  return "unknown";
}

std::string yes_or_no(bool is_there) { return is_there ? "yes" : "no"; }

Finding instructions(std::string name, bool are_there, std::string loss) {
  return {std::move(name), are_there ? Health::ok : Health::warn, yes_or_no(are_there),
          are_there ? "" : std::move(loss)};
}

Finding path() {
  const char* forced = std::getenv("CUZK_CPU");
  const std::string by = forced == nullptr || *forced == '\0' ? "" : fmt::format(", forced by CUZK_CPU={}", forced);
  try {
    const CpuChoice best = choose_cpu(nullptr), chosen = choose_cpu(forced);
    const bool is_best = chosen.kernels == best.kernels && chosen.sha_extensions == best.sha_extensions;
    return {"cpu.path", is_best ? Health::ok : Health::warn,
            fmt::format("{}, SHA-256 {}{}", name_of(chosen.kernels), chosen.sha_extensions ? "sha_ni" : "portable", by),
            is_best ? "" : fmt::format("unset CUZK_CPU: this processor can do {}", name_of(best.kernels))};
  } catch (const Error& error) {
    return {"cpu.path", Health::fail, error.what(), "unset CUZK_CPU, or name a path that the processor has"};
  }
}

/// Processors' time that the control group allows, as a number of processors; 0 where there is no limit.
double allowed_processors() {
  std::ifstream text("/sys/fs/cgroup/cpu.max");
  double quota = 0, period = 0;
  return text >> quota >> period && period > 0 ? quota / period : 0;
}

Finding threads() {
  const unsigned threads = ThreadPool::shared().threads();
  const double allowed = allowed_processors();
  if (allowed > 0 && allowed < threads) {
    return {"cpu.threads", Health::warn,
            fmt::format("{}, of which the control group lets {:.1f} run", threads, allowed),
            "give the process no more processors (taskset) than its control group has time for"};
  }
  return {"cpu.threads", Health::ok, fmt::format("{}", threads)};
}

Finding memory() {
  constexpr u64 kSmall = u64{4} << 30, kLarge = u64{16} << 30;
  const MachineMemory memory = machine_memory();
  const std::string value = fmt::format("{} of {} available", gibibytes(memory.available), gibibytes(memory.total));
  if (memory.total >= kLarge) return {"memory", Health::ok, value};
  if (memory.total >= kSmall) {
    return {"memory", Health::warn, value, "sectors of 32 GiB need 16 GiB; smaller ones fit"};
  }
  return {"memory", Health::warn, value, "4 GiB are enough for sectors up to 512 MiB, 16 GiB for those of 32 GiB"};
}

Finding memory_limit() {
  std::ifstream text("/proc/meminfo");
  std::string word;
  u64 kilobytes = 0;
  text >> word >> kilobytes;
  const u64 total = machine_memory().total;
  const bool is_limited = total < kilobytes << 10;
  return {"memory.limit", Health::ok, is_limited ? fmt::format("{} by the control group", gibibytes(total)) : "none"};
}

Finding huge_pages() {
  const std::string modes = first_line("/sys/kernel/mm/transparent_hugepage/enabled");
  const auto begin = modes.find('['), end = modes.find(']');
  const std::string mode = end == std::string::npos ? "unknown" : modes.substr(begin + 1, end - begin - 1);
  if (mode == "always" || mode == "madvise") return {"memory.huge_pages", Health::ok, mode};
  return {"memory.huge_pages", Health::warn, mode,
          "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled: page faults cost seconds of a proof"};
}

}  // namespace

std::string_view name_of(Health health) {
  return health == Health::ok ? "ok" : health == Health::warn ? "warn" : "fail";
}

Findings examine_machine() {
  return {{"cpu", Health::ok, processor_name()},
          instructions("cpu.adx", is_supported(Kernels::adx), "proofs on the processor take twice as long"),
          instructions("cpu.avx2", is_supported(Kernels::avx2), "SHA-256 trees of sealing take longer"),
          instructions("cpu.avx512_ifma", is_supported(Kernels::ifma),
                       "proofs on the processor take three to four times as long as with it"),
          instructions("cpu.sha_ni", has_sha_extensions(), "SHA-256 takes five times as long as with it"),
          path(),
          threads(),
          memory(),
          memory_limit(),
          huge_pages()};
}

}  // namespace cuzk::apps
