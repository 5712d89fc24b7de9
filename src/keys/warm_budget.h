/// Which key files are worth the page cache that they take: a budget of bytes, and who gives way to whom. It reads no
/// file and no clock.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <vector>

#include "base/types.h"

namespace cuzk::keys {

class WarmBudget {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// Files that were used so lately do not give way: two that both are wanted would else be read in turns for ever.
  static constexpr std::chrono::seconds kSettled{60};

  explicit WarmBudget(u64 bytes) : budget_(bytes) {}

  /// Enters a file that is read or used now. Returns the files that give way to it, those first that are cheap to read
  /// again for how long nobody used them; nothing where there is no room, and then it is not entered.
  std::optional<std::vector<std::filesystem::path>> enter(const std::filesystem::path& file, u64 bytes, Time now);

  void remove(const std::filesystem::path& file);
  bool has(const std::filesystem::path& file) const { return files_.contains(file); }

  u64 used() const { return used_; }  ///< bytes

 private:
  struct Entry {
    u64 bytes = 0;
    Time last_use;
  };

  const u64 budget_;
  u64 used_ = 0;
  std::map<std::filesystem::path, Entry> files_;
};

}  // namespace cuzk::keys
