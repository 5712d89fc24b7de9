#include "engine/wrong_proofs.h"

#include <algorithm>

namespace cuzk::engine {

void WrongProofs::right(const std::string& circuit_id) {
  const std::lock_guard lock(mutex_);
  proved_.insert(circuit_id);
}

WrongProofs::Verdict WrongProofs::wrong(const std::string& circuit_id, u32 count, Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  auto& times = wrong_[circuit_id];
  times.insert(times.end(), count, now);
  std::size_t all = 0;
  for (auto& [circuit, each] : wrong_) {
    std::erase_if(each, [&](const Clock::time_point& time) { return time + kWithin < now; });
    all += each.size();
  }
  std::erase_if(wrong_, [](const auto& entry) { return entry.second.empty(); });
  if (speaks_against_key()) return Verdict::key;
  return all >= kFaulty ? Verdict::faulty : Verdict::suspect;
}

bool WrongProofs::speaks_against_key() const { return wrong_.size() == 1 && !proved_.contains(wrong_.begin()->first); }

}  // namespace cuzk::engine
