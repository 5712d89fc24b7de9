/// When a device is no longer trusted: it made several proofs in a day that do not verify, of circuits that it has proved
/// before or of more than one. Proofs of one circuit alone that never verify speak against its key.
///
/// Threads: any.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <string>

#include "base/types.h"

namespace cuzk::engine {

class WrongProofs {
 public:
  using Clock = std::chrono::steady_clock;

  enum class Verdict : u8 {
    key,      ///< as likely the key's fault
    suspect,  ///< the device's, but too few to stop using it
    faulty    ///< it should prove no more
  };

  static constexpr std::size_t kFaulty = 4;  ///< so many wrong proofs
  static constexpr std::chrono::hours kWithin{24};

  /// The device made a proof of this circuit that verifies.
  void right(const std::string& circuit_id);

  /// It made `count` that do not; what follows from them and those of the last kWithin.
  Verdict wrong(const std::string& circuit_id, u32 count, Clock::time_point now = Clock::now());

 private:
  bool speaks_against_key() const;

  std::mutex mutex_;
  std::set<std::string> proved_;
  std::map<std::string, std::deque<Clock::time_point>> wrong_;  ///< by circuit, not longer ago than kWithin
};

}  // namespace cuzk::engine
