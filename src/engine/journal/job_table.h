/// The statements on the journal's tables.
///
/// Threads: one at a time, as the database below. Transactions are the caller's.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <vector>

#include "engine/journal/database.h"
#include "engine/journal/journal_records.h"

namespace cuzk::engine {

class JobTable {
 public:
  explicit JobTable(Database& database);

  /// What an unfinished job gave back when it ended, or a finished one when it is forgotten.
  struct Released {
    u64 bytes = 0;
    bool was_finished = false;
  };

  /// An input that is not given as bytes stands in a file. Throws Error{internal} for an id that is there.
  void insert(const JobRecord& job, std::optional<std::span<const u8>> input);

  void start(const JobId& id);                     ///< throws Error{not_found}: no such unfinished job
  void raise(const JobId& id, Priority priority);  ///< as above
  Released end(const JobId& id, const JobResult& result, WallTime now);  ///< as above
  std::optional<Released> remove(const JobId& id);                       ///< empty: there is none

  /// In the order of acceptance. A row that cannot be read is told in the log and left where it is.
  std::vector<UnfinishedJob> unfinished();
  std::vector<FinishedJob> finished();

  /// Of all jobs that have not ended, also those whose rows cannot be read.
  std::set<JobId> unfinished_ids();

  struct StoredInput {
    JobRecord record;
    std::optional<std::vector<u8>> bytes;  ///< empty: in a file
  };
  /// Throws Error{not_found}: no such unfinished job.
  StoredInput input(const JobId& id);

  struct Usage {
    u64 jobs = 0, bytes = 0;
  };
  Usage usage();

 private:
  i64 number_of_unfinished(const JobId& id);

  SqlStatement insert_job_, insert_input_, insert_result_;
  SqlStatement start_, raise_, end_;
  SqlStatement delete_input_, delete_result_, delete_job_;
  SqlStatement unfinished_, finished_, find_, input_, ids_, usage_;
};

/// What a result takes, for the limits of a journal.
u64 bytes_of(const JobResult& result);

}  // namespace cuzk::engine
