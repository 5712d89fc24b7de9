#include "engine/overview.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace cuzk::engine {

namespace {

constexpr std::array<std::string_view, 6> kStages{"decode", "circuit", "key", "witness", "prove", "verify"};

std::chrono::milliseconds rounded(std::chrono::nanoseconds time) {
  return std::chrono::round<std::chrono::milliseconds>(time);
}

}  // namespace

std::vector<StageOfJob> stages_of(const std::vector<SpanRecord>& records) {
  struct Sum {
    std::string_view name;
    std::chrono::nanoseconds begin, end, busy;
    u32 spans;
  };
  std::vector<Sum> sums;
  for (const auto& record : records) {
    if (std::ranges::find(kStages, record.name) == kStages.end()) continue;
    auto found = std::ranges::find(sums, record.name, &Sum::name);
    if (found == sums.end()) found = sums.insert(found, {record.name, record.start, record.start, {}, 0});
    found->end = std::max(found->end, record.start + record.duration);
    found->busy += record.duration;
    ++found->spans;
  }
  std::vector<StageOfJob> stages;
  stages.reserve(sums.size());
  for (const Sum& sum : sums)
    stages.push_back({std::string(sum.name), rounded(sum.begin), rounded(sum.end), rounded(sum.busy), sum.spans});
  return stages;
}

void EndedJobs::add(JobOverview job) {
  const bool is_failure = job.state == JobState::failed || job.state == JobState::timed_out;
  const auto shared = std::make_shared<const JobOverview>(std::move(job));
  ended_.push_front(shared);
  if (ended_.size() > kMost) ended_.pop_back();
  if (!is_failure) return;
  failures_.push_front(shared);
  if (failures_.size() > kMost) failures_.pop_back();
}

}  // namespace cuzk::engine
