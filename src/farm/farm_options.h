/// What the section [farm] of a configuration says.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "base/types.h"

namespace cuzk::farm {

struct FarmOptions {
  using Time = std::chrono::milliseconds;

  std::string postgres;             ///< connection string or URI of PostgreSQL; may hold a password; empty: no farm
  std::string name;                 ///< of this daemon, in status answers; empty: the machine's name
  std::filesystem::path objects;    ///< directory that all machines share, for large inputs; empty: none
  u64 inline_input = u64{1} << 20;  ///< bytes of an input that goes into the database
  u64 max_input = u64{1} << 30;     ///< bytes of an input that is taken at all
  u32 jobs_at_once = 0;             ///< held of each device beside CRITICAL ones; 0: two
  u32 machines_a_job = 4;  ///< that share one job's partitions where they have nothing else to do; 1: none does
  Time lease = std::chrono::seconds(30);              ///< a daemon that was not seen for so long is dead
  Time heartbeat = std::chrono::seconds(5);           ///< how often a daemon says that it lives
  Time poll = std::chrono::seconds(5);                ///< how often an idle daemon looks though nobody woke it
  Time key_grace = std::chrono::seconds(2);           ///< so long a job is left to those who hold its key
  u32 max_attempts = 5;                               ///< after so many that came to nothing a job has failed
  Time keep_results = std::chrono::hours(24);         ///< of those that were fetched
  Time keep_unfetched = std::chrono::hours(30 * 24);  ///< of those that nobody asked for
  Time keep_inputs = std::chrono::minutes(10);        ///< after the last job that needed it

  bool is_on() const { return !postgres.empty(); }

  friend bool operator==(const FarmOptions&, const FarmOptions&) = default;
};

/// Throws Error{invalid_input} naming the key of two that do not fit together.
void check(const FarmOptions& options);

/// A connection string or URI as it may be shown: every password in it is ***.
std::string without_password(const std::string& postgres);

}  // namespace cuzk::farm
