/// Room on a disk that is kept for what must be written even when it is full: a file that is given up then.
///
/// Threads: any may call any function.
#pragma once

#include <filesystem>
#include <mutex>

#include "base/types.h"

namespace cuzk::engine {

class SpaceReserve {
 public:
  /// Takes the room if there is any. The file stays when the process ends.
  SpaceReserve(std::filesystem::path file, u64 bytes);

  /// Takes what is missing; false where the disk has no room for it. Cheap as long as nothing is missing.
  bool restore();

  /// Gives the room to whoever writes next.
  void release();

 private:
  bool allocate() const;

  const std::filesystem::path file_;
  const u64 bytes_;
  std::mutex mutex_;
  bool is_whole_ = false;
};

}  // namespace cuzk::engine
