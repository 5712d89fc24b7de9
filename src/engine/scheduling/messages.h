/// What the scheduler is told (events) and what it answers (decisions).
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/types.h"
#include "engine/request.h"
#include "engine/scheduling/policy.h"

namespace cuzk::engine {

using Ticket = u64;    ///< a job, as the caller numbers it; never given twice
using BatchId = u64;   ///< a batch, as the scheduler numbers it
using DeviceId = u32;  ///< a device, as the caller numbers it; may come back after it was lost

/// Bytes on one device.
struct DeviceNeed {
  DeviceId device = 0;
  u64 partition = 0;  ///< while one is proved
  u64 key = 0;        ///< of the circuit's key, shared by all its jobs
  u32 together =
      1;  ///< partitions that share the reading of a key that is streamed: no memory, but what a batch is for
};

/// Bytes, at most, that a job takes. What it really takes may be less, never more.
struct MemoryNeed {
  u64 host_job = 0;          ///< host: from the start of its first partition to its end (what was decoded)
  u64 host_partition = 0;    ///< host: while a partition runs (witness, a, b, c)
  u64 device_partition = 0;  ///< device: while a partition is proved
  u64 key = 0;               ///< device: of the circuit's key, shared by all its jobs
  std::vector<DeviceNeed> elsewhere = {};  ///< on devices where it is not as said above

  DeviceNeed on(DeviceId device) const {
    for (const DeviceNeed& each : elsewhere)
      if (each.device == device) return each;
    return {device, device_partition, key, 1};
  }
};

struct JobSpec {
  Ticket ticket = 0;
  Kind kind = Kind::porep;
  Priority priority = Priority::normal;
  std::string circuit;  ///< such as "porep-32g": partitions of one circuit share a key and may share a batch
  u32 partitions = 1;
  std::optional<Time> deadline;  ///< it ends then, whatever has been done
  std::optional<Time>
      wanted;           ///< whoever waits for it goes then: it orders the job as a deadline does and ends nothing
  u64 input_bytes = 0;  ///< held from acceptance to the end
  MemoryNeed memory;
};

/// A device runs one batch in each lane. Two ordinary lanes keep it busy: while one's witness is made, the other's is
/// proved. They take turns at proving, so that memory is set aside for the largest partition of them, not for their sum.
/// Urgent lanes prove beside them; they, and urgent_memory for keys and partitions in them, are for urgent jobs alone:
/// those of priority CRITICAL that fit into it.
struct DeviceSpec {
  DeviceId id = 0;
  u64 memory = 0;                                       ///< bytes, of keys and partitions
  u64 urgent_memory = 0;                                ///< the part of it that only urgent jobs get
  u32 lanes = 1;                                        ///< numbered from 0
  u32 urgent_lanes = 1;                                 ///< numbered after the others
  u32 lanes_of_kind = std::numeric_limits<u32>::max();  ///< that one kind may have; not for CRITICAL
};

// Events.

struct JobSubmitted {
  JobSpec job;
};

/// Somebody else wants the same job: it takes the higher priority and the later deadline (none is the latest).
struct JobJoined {
  Ticket ticket = 0;
  Priority priority = Priority::normal;
  std::optional<Time> deadline;
};

/// Somebody waits for the job, until then.
struct JobAwaited {
  Ticket ticket = 0;
  Time wanted;
};

/// In any state; of a job that is not known or has ended it says nothing.
struct JobCancelled {
  Ticket ticket = 0;
};

/// One for each partition of a batch, in any order; the last one frees the lane. After the loss of its device it is
/// ignored.
struct PartitionEnded {
  enum class Outcome : u8 {
    proved,
    failed,      ///< so does the job
    given_back,  ///< stopped, after PreemptBatch or StopJob or by itself: it runs again if the job goes on
  };

  BatchId batch = 0;
  Ticket ticket = 0;
  u32 partition = 0;
  Outcome outcome = Outcome::proved;
};

/// A batch is alive: such as a tile of it finished, or it proves and does not leave at Boundary::turn.
struct BatchAdvanced {
  BatchId batch = 0;
};

struct DeviceAdded {
  DeviceSpec device;
};

/// With its keys and everything that ran there.
struct DeviceLost {
  DeviceId device = 0;
};

/// The answer to LoadKey.
struct KeyLoaded {
  DeviceId device = 0;
  std::string circuit;
};

/// The other answer to LoadKey. The jobs that wait for the key fail, unless another device has it or, where it was room
/// that lacked, other keys there can make some.
struct KeyLoadFailed {
  enum class Cause : u8 { key, room };

  DeviceId device = 0;
  std::string circuit;
  std::string message;
  Cause cause = Cause::key;
};

/// The answer to EvictKey.
struct KeyEvicted {
  DeviceId device = 0;
  std::string circuit;
};

/// Somebody wants a key on a device though no job needs it. It is loaded into free memory; where no device has it, also
/// in place of keys that have long been unused (SchedulerPolicy::spread_min_idle). Else KeyRefused.
struct KeyWanted {
  enum class Use : u8 { ordinary, urgent };

  DeviceId device = 0;
  std::string circuit;
  u64 bytes = 0;
  Use use = Use::ordinary;  ///< urgent: held in the device's urgent_memory
};

/// Somebody wants a key gone. It is evicted if nothing uses it; else KeyRefused.
struct KeyUnwanted {
  DeviceId device = 0;
  std::string circuit;
};

/// Nothing happened but time; due at next_wakeup().
struct Tick {};

using Event = std::variant<JobSubmitted, JobJoined, JobAwaited, JobCancelled, PartitionEnded, BatchAdvanced,
                           DeviceAdded, DeviceLost, KeyLoaded, KeyLoadFailed, KeyEvicted, KeyWanted, KeyUnwanted, Tick>;

// Decisions.

struct PartitionOfJob {
  Ticket ticket = 0;
  u32 partition = 0;

  friend bool operator==(const PartitionOfJob&, const PartitionOfJob&) = default;
};

/// The device has the key, and the memory of all these partitions is set aside.
struct StartBatch {
  BatchId batch = 0;
  DeviceId device = 0;
  u32 lane = 0;  ///< at or above the device's `lanes`: an urgent lane
  std::string circuit;
  std::vector<PartitionOfJob> partitions;
};

/// Something more urgent needs the lane: report what is not proved as given back.
struct PreemptBatch {
  /// Where to stop: between partitions nothing is lost; between tiles of a partition what was done of it is; turn:
  /// what waits for its turn to prove, with its witness, leaves at once, and what proves goes on (BatchAdvanced).
  enum class Boundary : u8 { tile, partition, turn };

  BatchId batch = 0;
  Boundary boundary = Boundary::partition;
};

struct LoadKey {
  DeviceId device = 0;
  std::string circuit;
};

/// No batch uses it.
struct EvictKey {
  DeviceId device = 0;
  std::string circuit;
};

enum class JobEnd : u8 { completed, failed, cancelled, expired };

/// Stop the partitions of this job that run and report each. Who waits for the job can be told at once.
struct StopJob {
  Ticket ticket = 0;
  JobEnd why = JobEnd::cancelled;
};

/// Nothing of this job runs or waits any more, what it held is free.
struct EndJob {
  Ticket ticket = 0;
  JobEnd how = JobEnd::completed;
  std::string message;  ///< failed: where the scheduler knows why
};

/// The job was not accepted.
struct RefuseJob {
  enum class Reason : u8 {
    too_large,   ///< it fits never
    queue_full,  ///< later perhaps
    no_device,   ///< later perhaps
  };

  Ticket ticket = 0;
  Reason reason = Reason::queue_full;
  std::string message;     ///< what it needs and what there is
  Duration retry_after{};  ///< zero where it is of no use
};

/// The answer to KeyWanted or KeyUnwanted that changes nothing.
struct KeyRefused {
  DeviceId device = 0;
  std::string circuit;
  std::string message;
};

using Decision = std::variant<StartBatch, PreemptBatch, LoadKey, EvictKey, StopJob, EndJob, RefuseJob, KeyRefused>;

}  // namespace cuzk::engine
