#include "engine/lane_history.h"

#include <algorithm>
#include <utility>

namespace cuzk::engine {

std::string_view name(Lane::Role role) {
  switch (role) {
    case Lane::Role::intake: return "intake";
    case Lane::Role::keys: return "keys";
    case Lane::Role::ordinary: return "lane";
    default: return "urgent";
  }
}

std::string_view name(LaneSpan::Stage stage) {
  switch (stage) {
    case LaneSpan::Stage::decode: return "decode";
    case LaneSpan::Stage::key: return "key";
    case LaneSpan::Stage::witness: return "witness";
    case LaneSpan::Stage::wait: return "wait";
    default: return "prove";
  }
}

std::string_view name(LaneSpan::End end) {
  switch (end) {
    case LaneSpan::End::running: return "running";
    case LaneSpan::End::done: return "done";
    default: return "dropped";
  }
}

void LaneHistory::begin(const Lane& lane, LaneSpan::Stage stage, std::string subject, u32 partition,
                        Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  if (const auto found = running_.find(lane); found != running_.end()) {
    if (stage == LaneSpan::Stage::prove && found->second.stage == stage) {
      ++found->second.together;
      return;
    }
    close(found->second, LaneSpan::End::done, now);
  }
  running_[lane] = {0, lane, stage, std::move(subject), partition, 1, now, now, LaneSpan::End::running};
}

Lane LaneHistory::begin_in_free(Lane::Role role, u32 device, LaneSpan::Stage stage, std::string subject,
                                Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  Lane lane{role, device, 0};
  while (running_.contains(lane)) ++lane.number;
  running_[lane] = {0, lane, stage, std::move(subject), 0, 1, now, now, LaneSpan::End::running};
  return lane;
}

void LaneHistory::end(const Lane& lane, LaneSpan::End how, Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  const auto found = running_.find(lane);
  if (found == running_.end()) return;
  close(found->second, how, now);
  running_.erase(found);
}

void LaneHistory::lose(u32 device, Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  for (auto it = running_.begin(); it != running_.end();) {
    const bool is_there = it->first.device == device && it->first.role != Lane::Role::intake;
    if (is_there) close(it->second, LaneSpan::End::dropped, now);
    it = is_there ? running_.erase(it) : std::next(it);
  }
}

/// Under the mutex.
void LaneHistory::close(LaneSpan& span, LaneSpan::End how, Clock::time_point now) {
  constexpr auto kShort = std::chrono::milliseconds(1);
  if (span.stage == LaneSpan::Stage::wait && now - span.begin < kShort) return;  // it was its turn at once
  span.number = ++last_;
  span.how = how;
  span.end = std::max(now, span.begin);
  ended_.push_back(std::move(span));
  while (ended_.size() > kMost || ended_.front().end + kAge < now) ended_.pop_front();
}

std::vector<LaneSpan> LaneHistory::since(u64 number) const {
  const std::lock_guard lock(mutex_);
  const auto first =
      std::partition_point(ended_.begin(), ended_.end(), [&](const LaneSpan& span) { return span.number <= number; });
  std::vector<LaneSpan> spans(first, ended_.end());
  for (const auto& [lane, span] : running_) spans.push_back(span);
  return spans;
}

}  // namespace cuzk::engine
