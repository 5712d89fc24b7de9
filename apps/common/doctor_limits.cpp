#include <fmt/format.h>
#include <sys/resource.h>

#include <filesystem>
#include <fstream>

#include "base/types.h"
#include "common/doctor.h"

namespace cuzk::apps {
namespace {

namespace fs = std::filesystem;

constexpr u64 kGibibyte = u64{1} << 30;

rlim_t soft_limit(__rlimit_resource resource) {
  rlimit limit{};
  ::getrlimit(resource, &limit);
  return limit.rlim_cur;
}

bool has_gpu() {
  std::error_code ignored;
  return fs::exists("/dev/nvidia0", ignored);
}

/// Keys that are streamed to a GPU are pinned.
Finding locked_memory() {
  constexpr u64 kKey = 40 * kGibibyte;
  const auto limit = soft_limit(RLIMIT_MEMLOCK);
  if (limit == RLIM_INFINITY) return {"limit.locked_memory", Health::ok, "none"};
  const bool suffices = !has_gpu() || limit >= kKey;
  return {"limit.locked_memory", suffices ? Health::ok : Health::warn, fmt::format("{} KiB", limit >> 10),
          suffices
              ? ""
              : "ulimit -l unlimited, or LimitMEMLOCK=infinity of the unit: a key that does not fit the GPU is pinned"};
}

Finding open_files() {
  constexpr rlim_t kFew = 1024;
  const auto limit = soft_limit(RLIMIT_NOFILE);
  const bool suffices = limit >= kFew;
  return {"limit.open_files", suffices ? Health::ok : Health::warn, fmt::format("{}", limit),
          suffices ? "" : "ulimit -n 65536, or LimitNOFILE=65536 of the unit: each client takes one"};
}

/// Room on the disk of a directory; `needed`: below it there is something to do.
Finding disk(std::string name, const fs::path& directory, u64 needed, std::string advice) {
  std::error_code error;
  const auto space = fs::space(directory, error);
  if (error) return {std::move(name), Health::ok, fmt::format("{}: not there", directory.string())};
  const bool suffices = space.available >= needed;
  return {std::move(name), suffices ? Health::ok : Health::warn,
          fmt::format("{} free of {} at {}", gibibytes(space.available), gibibytes(space.capacity), directory.string()),
          suffices ? "" : std::move(advice)};
}

/// "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.82.07  ..."
Findings driver() {
  std::ifstream file("/proc/driver/nvidia/version");
  std::string line;
  if (!std::getline(file, line)) {
    if (!has_gpu()) return {};
    return {{"driver", Health::warn, "not loaded", "there is a GPU: install NVIDIA's driver, 525 or later"}};
  }
  return {{"driver", Health::ok, line.substr(line.find(':') == std::string::npos ? 0 : line.find(':') + 2)}};
}

}  // namespace

Findings examine_limits(const fs::path& keys) {
  Findings findings{
      locked_memory(), open_files(),
      disk("disk.temporary", fs::temp_directory_path(), kGibibyte, "make room, or set TMPDIR"),
      disk("disk.keys", keys, kGibibyte, "make room: the keys of 32 GiB take 143 GB, one alone up to 61")};
  for (auto& finding : driver()) findings.push_back(std::move(finding));
  return findings;
}

}  // namespace cuzk::apps
