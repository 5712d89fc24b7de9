#include "engine/retention.h"

namespace cuzk::engine {

void Retention::add(JobId id, u64 bytes, Clock::time_point now) {
  entries_.push_back({std::move(id), bytes, now});
  bytes_ += bytes;
}

std::vector<JobId> Retention::expired(Clock::time_point now) {
  std::vector<JobId> result;
  while (!entries_.empty() && is_over(entries_.front(), now)) {
    bytes_ -= entries_.front().bytes;
    result.push_back(std::move(entries_.front().id));
    entries_.pop_front();
  }
  return result;
}

bool Retention::is_over(const Entry& oldest, Clock::time_point now) const {
  return entries_.size() > limits_.jobs || bytes_ > limits_.bytes || now - oldest.ended > limits_.age;
}

}  // namespace cuzk::engine
