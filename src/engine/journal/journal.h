/// The journal: what an engine has accepted and what came of it, on the disk before anybody is told.
///
/// A SQLite database (WAL, synchronous=FULL) in a directory of its own:
///     journal.db (-wal)   jobs, results, inputs up to `inline_input` bytes; mode 0600
///     inputs/JOB          a larger input, written and forced to the disk before its job's row; removed when the job ends
///     lock                held by the one process that works with it
///     reserve             room for results: given up when the disk is full, so that it takes what jobs come to; no job is
///                         accepted until the room is there again
/// Whatever moment the process or the machine dies at, the next `Journal` on the directory has every job and every result
/// that was acknowledged, each once. What was under way but not acknowledged is there whole or not at all.
///
/// Group commit: one thread writes. Changes that arrive while it waits for the disk go into its next transaction
/// together, so that a thousand callers cost a few waits and not a thousand. Changes are applied in the order in which
/// they were given.
///
/// Inputs are secret: they are in no message and no log, and their files are their owner's alone. A job with a given
/// blinding (r and s) is not for the journal: it has no place for them.
///
/// A database that SQLite finds damaged is renamed to journal.db.damaged-TIME, the folder of inputs with it; that is told
/// in the log and by `recover`, and the journal begins anew. `sqlite3 FILE .recover` gets out what can be read.
///
/// Threads: any. Errors, unless said otherwise: Error resource_exhausted (the disk is full, a limit of the journal is
/// reached), unavailable (the files cannot be written), internal; after one, nothing of the change is there, and the
/// journal goes on working once the cause is gone.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>

#include "engine/journal/commit_queue.h"
#include "engine/journal/durable_directory.h"
#include "engine/journal/input_files.h"
#include "engine/journal/job_table.h"
#include "engine/journal/journal_records.h"
#include "engine/journal/space_reserve.h"

namespace cuzk::engine {

struct JournalLimits {
  std::size_t jobs = 100'000;                        ///< remembered, finished ones too
  u64 bytes = u64{64} << 30;                         ///< of inputs and results on the disk
  std::size_t inline_input = std::size_t{64} << 10;  ///< bytes of an input that goes into the database
  std::size_t group = 1024;                          ///< changes that share a transaction at most
  u64 reserve = u64{16} << 20;                       ///< bytes that are kept free for results
};

class Journal {
 public:
  /// Opens the directory, or makes it with mode 0700, and removes files of inputs that no job needs. Throws Error:
  /// unavailable (another process works with it; it cannot be written; a newer program wrote it), resource_exhausted,
  /// invalid_input (journal.db is another program's).
  explicit Journal(std::filesystem::path directory, JournalLimits limits = {});

  /// Commits what was given.
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// What was there when the journal was opened: call it first. Inputs are not in it, since they may be many gigabytes
  /// together: `input` reads the one that is needed. A row that cannot be read is told in the log, left where it is and
  /// not given.
  Recovery recover();

  /// The input of a job that has not ended. Throws Error: not_found (no such job, or its file is gone), invalid_input
  /// (what is stored is not what was accepted: its digest differs).
  ProofInput input(const JobId& id) const;

  /// Records a job's acceptance. Returns when it is on the disk, input included. Throws also Error: invalid_input (a
  /// wrong id), internal (the id is there).
  void accepted(const JobRecord& job, const ProofInput& input);

  /// The same without waiting for the database; a large input is written in the caller's thread nevertheless. What is
  /// wrong with the arguments and a failure to write a file are thrown, all else comes by `done`.
  void accepted(const JobRecord& job, const ProofInput& input, Done done);

  /// Records a job's end. Returns when it is on the disk. Its input is gone then. Not subject to the journal's limits.
  /// Throws also Error{not_found}: no such job that has not ended.
  void ended(const JobId& id, const JobResult& result);
  void ended(const JobId& id, JobResult result, Done done);  ///< the same without waiting

  /// Transitions that nobody waits for: they are on the disk soon, and a crash before costs nothing but that they are
  /// forgotten. A failure is told in the log.
  void started(const JobId& id);
  void raised(const JobId& id, Priority priority);
  void forgotten(const JobId& id);  ///< whatever its state; nothing where it is not known

  /// Returns when everything that was given before is done.
  void flush() { queue_->flush(); }

  /// For metrics.
  CommitQueue::Counts counts() const { return queue_->counts(); }
  JobTable::Usage usage() const;

 private:
  class Reservation;
  class StoredFile;

  std::unique_ptr<Database> open_database();
  std::unique_ptr<Database> open_or_set_aside();
  void set_aside();
  void remove_orphans();
  void push_end(const JobId& id, const std::shared_ptr<const JobResult>& result, Done done, unsigned attempts);
  void push_unwaited(std::string_view what, const JobId& id, std::function<void()> apply);
  void release(const JobTable::Usage& usage);

  const std::filesystem::path directory_;
  const JournalLimits limits_;
  std::optional<std::filesystem::path> set_aside_;
  struct Home {  ///< made before anything in it
    explicit Home(const std::filesystem::path& directory) { make_private_directory(directory); }
  } home_;
  DirectoryLock lock_;
  mutable std::mutex database_mutex_;  // guards database_ and table_
  std::unique_ptr<Database> database_;
  mutable JobTable table_;
  InputFiles files_;
  SpaceReserve reserve_;
  mutable std::mutex usage_mutex_;
  JobTable::Usage usage_;
  std::unique_ptr<CommitQueue> queue_;  // last: its thread uses all of the above
};

}  // namespace cuzk::engine
