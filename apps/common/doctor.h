/// What `cuzk doctor` looks at: the machine, and what cuzk has on it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"

namespace cuzk::apps {

/// ok: as it should be. warn: works, but slower or not for everything. fail: cuzk cannot do its work.
enum class Health { ok, warn, fail };
std::string_view name_of(Health health);

struct Finding {
  std::string name;  ///< stable, such as "cpu.path"; dots divide levels
  Health health;
  std::string value;        ///< what is there
  std::string advice = {};  ///< what to do, where it is not as it should be
};
using Findings = std::vector<Finding>;

std::string gibibytes(u64 bytes);  ///< "1.5 GiB"

/// Processor, instructions and the path that is taken, threads, memory and its limits, huge pages.
Findings examine_machine();

/// What the system lets this process have: locked memory, open files, room on the disks; the driver of NVIDIA's GPUs.
Findings examine_limits(const std::filesystem::path& keys);

/// Version and libraries of this program.
Findings examine_program();

/// The directory of keys, the cache of circuits, the memory of digests.
Findings examine_files(const std::filesystem::path& keys);

/// The processor and each GPU: a proof whose truth is known is made and verified. A second or less for each.
Findings examine_devices();

}  // namespace cuzk::apps
