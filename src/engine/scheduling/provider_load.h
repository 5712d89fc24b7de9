/// The jobs of a storage provider over some time, made from a few rates; the same seed gives the same jobs.
#pragma once

#include <array>
#include <vector>

#include "engine/scheduling/messages.h"

namespace cuzk::engine {

/// What one job of a kind is, and how long its parts take.
struct KindProfile {
  std::string circuit;
  u32 partitions = 1;
  Duration witness{};  ///< of a partition, on the host
  Duration device{};   ///< of a partition
  Duration allowed{};  ///< from the request to its deadline
  u64 input_bytes = 0;
  MemoryNeed memory;
};

/// Kinds of 32 GiB sectors. Times: measured on one H200 (bench/ledger.md, "cuda"), the device's part being the time from one
/// partition to the next; the host's of WindowPoSt is decoding and checks too, WinningPoSt's on the device that beside
/// sectors of PoRep. Keys: the network's files. Working memory of a partition: what its domain and its points take, rounded
/// up.
struct ProviderProfile {
  std::array<KindProfile, kKinds.size()> kinds;
  u64 key_bytes_per_second = u64{2} << 30;  ///< loading of a key: disk, checks and upload

  const KindProfile& of(Kind kind) const { return kinds[static_cast<std::size_t>(kind)]; }
  KindProfile& of(Kind kind) { return kinds[static_cast<std::size_t>(kind)]; }

  static ProviderProfile measured();
};

/// Sectors and updates come at random (exponential intervals), as do the elections that WinningPoSt is for; the
/// partitions of a WindowPoSt deadline come together, deadlines at equal intervals.
struct ProviderRates {
  double sectors_an_hour = 10;
  double snaps_an_hour = 4;
  double windows_a_day = 48;
  u32 window_partitions = 1;  ///< of each deadline
  double winnings_an_hour = 15;
  Duration length = std::chrono::hours(24);
  u64 seed = 1;
};

struct Arrival {
  Time time;
  JobSpec job;  ///< tickets from 1, in the order of time
};

std::vector<Arrival> provider_load(const ProviderRates& rates, const ProviderProfile& profile);

}  // namespace cuzk::engine
