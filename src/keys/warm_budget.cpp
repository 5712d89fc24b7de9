#include "keys/warm_budget.h"

#include <algorithm>
#include <utility>

namespace cuzk::keys {

namespace fs = std::filesystem;

std::optional<std::vector<fs::path>> WarmBudget::enter(const fs::path& file, u64 bytes, Time now) {
  const auto known = files_.find(file);
  const u64 others = used_ - (known == files_.end() ? 0 : known->second.bytes);
  std::vector<std::pair<double, fs::path>> candidates;  // by what a second without use is worth
  for (const auto& [path, entry] : files_) {
    if (path == file || now - entry.last_use < kSettled) continue;
    const auto idle = std::chrono::duration<double>(now - entry.last_use).count();
    candidates.emplace_back(static_cast<double>(entry.bytes) / idle, path);
  }
  std::sort(candidates.begin(), candidates.end());
  std::vector<fs::path> leaving;
  u64 left = others;
  for (const auto& [worth, path] : candidates) {
    if (left <= budget_ && bytes <= budget_ - left) break;
    left -= files_.at(path).bytes;
    leaving.push_back(path);
  }
  if (left > budget_ || bytes > budget_ - left) return std::nullopt;
  for (const auto& path : leaving) remove(path);
  remove(file);
  files_[file] = {bytes, now};
  used_ += bytes;
  return leaving;
}

void WarmBudget::remove(const fs::path& file) {
  const auto found = files_.find(file);
  if (found == files_.end()) return;
  used_ -= found->second.bytes;
  files_.erase(found);
}

}  // namespace cuzk::keys
