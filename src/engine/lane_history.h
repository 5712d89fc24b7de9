/// What an engine's lanes have done in the last minutes, for people who look at where the time goes.
///
/// A lane does one thing at a time: intake lanes read requests, those of keys load keys, a device's own lanes make
/// witnesses, wait for their turn and prove. Each such stretch of time is a span. Bounded: the newest kMost spans, none that
/// ended more than kAge before the newest. About 150 bytes a span.
///
/// Threads: any may call any function. Time comes in as an argument.
#pragma once

#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "base/types.h"
#include "engine/job.h"

namespace cuzk::engine {

struct Lane {
  enum class Role : u8 { intake, keys, ordinary, urgent } role = Role::intake;
  u32 device = 0;  ///< not of intake
  u32 number = 0;  ///< among those of its role and device

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the 0 in a defaulted comparison for a pointer
  auto operator<=>(const Lane&) const = default;
};

struct LaneSpan {
  enum class Stage : u8 { decode, key, witness, wait, prove };
  enum class End : u8 { running, done, dropped };  ///< dropped: failed, stopped or lost with its device

  u64 number = 0;  ///< of the ended ones, ascending in the order in which they ended; of running ones 0
  Lane lane;
  Stage stage = Stage::decode;
  std::string subject;  ///< id of the job, or of the key's circuit
  u32 partition = 0;
  u32 together = 1;  ///< partitions, perhaps of several jobs, that are proved in one call
  Clock::time_point begin{}, end{};
  End how = End::running;
};

std::string_view name(Lane::Role role);
std::string_view name(LaneSpan::Stage stage);
std::string_view name(LaneSpan::End end);

class LaneHistory {
 public:
  static constexpr std::size_t kMost = 2048;
  static constexpr std::chrono::minutes kAge{10};

  /// The lane does this from now on; what it did before is done. A partition that is proved right after another one began
  /// to be, in one lane, is proved together with it.
  void begin(const Lane& lane, LaneSpan::Stage stage, std::string subject, u32 partition, Clock::time_point now);

  /// The same in the first lane of that role and device that does nothing.
  Lane begin_in_free(Lane::Role role, u32 device, LaneSpan::Stage stage, std::string subject, Clock::time_point now);

  /// The lane does nothing from now on.
  void end(const Lane& lane, LaneSpan::End how, Clock::time_point now);

  /// Whatever is done on a device is dropped.
  void lose(u32 device, Clock::time_point now);

  /// The spans that ended after the one of that number, then those that are under way.
  std::vector<LaneSpan> since(u64 number) const;

 private:
  /// Waiting for less than a millisecond is not told.
  void close(LaneSpan& span, LaneSpan::End how, Clock::time_point now);

  mutable std::mutex mutex_;
  std::map<Lane, LaneSpan> running_;
  std::deque<LaneSpan> ended_;  // the oldest first
  u64 last_ = 0;
};

}  // namespace cuzk::engine
