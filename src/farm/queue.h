/// The queue of a farm: what daemons do with the tables of their database, one operation each. docs/adr/025 says which
/// state a job may go to and who decides it.
///
/// Every operation is one transaction; what it returns is committed. Times are durations that the database adds to its
/// own clock. An operation that changes nothing because somebody else was first says so in what it returns.
///
/// The connection is made at the first operation and made anew after it was lost. Inputs are secret: they are in no
/// message. Threads: one at a time; several queues on one database are independent.
///
/// Errors: Error{unavailable} where the database cannot be reached for a second, or its connections are lost again and
/// again for five: nothing is known of what the operation did then, and all may be repeated, with the same effect as once.
/// Error{internal} for what it refuses.
#pragma once

#include <chrono>
#include <compare>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/job.h"
#include "engine/partition_range.h"
#include "engine/request.h"
#include "farm/farm_options.h"
#include "farm/farm_view.h"

namespace cuzk::farm {

using engine::InputDigest;
using engine::JobId;
using engine::JobResult;
using engine::JobState;
using engine::Kind;
using engine::Priority;

/// What is stored of a job at its acceptance, beside its input.
struct NewJob {
  JobId id;  ///< of the row, where there is none yet
  std::string request_id;
  InputDigest digest{};  ///< of the input (engine/request.h)
  Kind kind = Kind::porep;
  Priority priority = Priority::normal;
  std::string circuit;                                 ///< whose key it needs, where the request says; else empty
  std::optional<std::chrono::milliseconds> time_left;  ///< until its deadline
  u64 input_bytes = 0;
  u32 partitions = 1;  ///< as far as the request says; only one that says several is shared by machines
};

struct Stored {
  JobId id;  ///< of the row that is the answer: of an earlier job where it was joined
  enum class How : u8 { made, joined } how = How::made;
};

/// A claim that is this daemon's until the job ends or the number is no longer the row's.
struct Lease {
  JobId job;
  u64 number = 0;

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the 0 in a defaulted comparison for a pointer
  friend auto operator<=>(const Lease&, const Lease&) = default;
};

struct Claimed {
  Lease lease;
  std::string request_id;
  InputDigest digest{};
  Kind kind = Kind::porep;
  Priority priority = Priority::normal;
  std::string circuit;
  std::optional<std::chrono::milliseconds> time_left;
  u32 attempts = 0;                            ///< this one counted
  std::chrono::milliseconds waited{};          ///< since its acceptance
  std::optional<engine::PartitionRange> only;  ///< of a job whose other partitions are others'
};

/// What a daemon says of itself.
struct Presence {
  std::string name;
  u32 room = 0, urgent_room = 0;      ///< jobs that it would take; of priority CRITICAL
  std::vector<std::string> circuits;  ///< whose keys its devices hold
};

/// What the database answers to it.
struct Beat {
  struct Own {
    Lease lease;
    Priority priority = Priority::normal;  ///< may have been raised since it was claimed
  };
  std::vector<Own> leases;  ///< that are this daemon's
  bool sweep_is_due = false;
};

struct ClaimWish {
  std::vector<std::string> circuits;  ///< whose keys its devices hold
  u32 most = 0;
  Priority lowest = Priority::low;
};

/// What a job is, for who waits for it.
struct FarmJob {
  JobId id;
  std::string request_id;
  Kind kind = Kind::porep;
  Priority priority = Priority::normal;
  bool is_leased = false;
  std::string daemon;    ///< name of the last that had it; names, where several share it
  std::string acceptor;  ///< session that is told of its end
  u32 attempts = 0;
  std::chrono::milliseconds since_accepted{}, since_leased{};
  std::optional<JobResult> result;  ///< once it has ended
};

/// Tells what the database sends to this session: called by listen().
class Listener {
 public:
  virtual ~Listener() = default;
  virtual void on_work() = 0;                   ///< there may be something to claim
  virtual void on_end(const JobId& id) = 0;     ///< a job that this daemon accepted, or follows, has ended
  virtual void on_lost(const JobId& id) = 0;    ///< a job that it had a lease of is nobody's any more
  virtual void on_urgent(const JobId& id) = 0;  ///< somebody wants a job that it has a lease of as CRITICAL
};

class FarmQueue {
 public:
  /// `session`: letters and digits; names this process in the database.
  FarmQueue(const FarmOptions& options, std::string session);
  ~FarmQueue();
  FarmQueue(FarmQueue&&) noexcept;

  /// Makes the tables where there are none. Throws also Error{invalid_input}: made by a newer program.
  void prepare();

  // Acceptors

  /// Before a job's input is written to a file of the object directory: from now on, and until some time after the last
  /// job that needs it, nobody removes that.
  void keep_file(const InputDigest& digest, std::optional<engine::Clock::time_point> wanted = std::nullopt);

  /// Row and input are there when this returns; without an input it is a file. A queued, leased or completed job of the
  /// same request id and input is joined; it takes the higher priority and the later deadline of the two. `wanted`: when
  /// the caller waits no more, and nothing is tried again for him.
  Stored submit(const NewJob& job, const std::optional<std::string>& input,
                std::optional<engine::Clock::time_point> wanted = std::nullopt);

  /// Its state before; nothing where there is no such job. A job that has ended stays as it is.
  std::optional<JobState> cancel(const JobId& id, const std::string& why);

  /// Nothing where there is no such job. A result counts as fetched from now on.
  std::optional<FarmJob> fetch(const JobId& id);

  /// The same; this daemon is the one that is told of its end from now on.
  std::optional<FarmJob> follow(const JobId& id);

  /// Of these jobs those that have ended, or are not there.
  std::vector<JobId> ended_of(const std::vector<JobId>& ids);

  enum class Which : u8 { unfinished, all };
  std::vector<FarmJob> list(Which which, std::size_t most);

  // Workers

  Beat beat(const Presence& presence);
  std::vector<Claimed> claim(const ClaimWish& wish);

  /// As it was submitted; nothing where it is a file. Throws Error{not_found}.
  std::optional<std::string> input(const InputDigest& digest);

  /// completed, failed or timed_out. False: the lease was lost, and the result is nobody's; or the deadline that has passed
  /// is no longer the job's, and the lease still stands.
  bool end(const Lease& lease, const JobResult& result);

  /// The job waits again. An attempt that came to nothing has a reason; too many of those end the job. Without one the
  /// attempt is not counted. False: the lease was lost.
  bool give_back(const Lease& lease, const std::optional<std::string>& reason);

  /// This session is no more.
  void leave();

  // Whoever tidies up

  /// Does nothing and returns nothing where another daemon is at it. Else how many jobs changed: leases that came back,
  /// jobs that ended.
  std::optional<u32> sweep();

  /// Removes results and inputs whose time is over; `remove_file` is called for the digest of each input that was a
  /// file, while nobody can take it up again, and says whether it is gone: one that is not is tried again later. Without
  /// it inputs that are files stay.
  void purge(const std::function<bool(const InputDigest&)>& remove_file);

  /// Waits until something was told, or the time is over. True at once where the connection is new: what was told before
  /// may have been missed. The listener must live as long as the queue.
  bool listen(Listener& listener, std::chrono::milliseconds most);

  FarmView view();

  /// "PostgreSQL 15.3, tables of version 1", for a check; makes nothing. Throws Error{unavailable} also where there are no
  /// tables and this user may not make them.
  std::string describe();

  /// Ends what another thread waits for here, by breaking the connection.
  void interrupt() noexcept;

 private:
  using Clock = engine::Clock;
  class Connection;
  class Attempts;

  Connection& connection();
  template <class Work>
  auto with_connection(Work&& work, std::optional<Clock::time_point> wanted = std::nullopt);

  const FarmOptions& options_;
  const std::string session_;
  std::unique_ptr<class Interruptible> interruptible_;
  std::unique_ptr<Connection> connection_;  // last: it uses the one before
};

}  // namespace cuzk::farm
