/// What a caller asks for: the kind of proof, its input, how urgent it is.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"
#include "groth16/blinding.h"

namespace cuzk::engine {

enum class Kind : u8 { porep, snap, window_post, winning_post };
inline constexpr std::array kKinds{Kind::porep, Kind::snap, Kind::window_post, Kind::winning_post};

/// Ascending: a job of a higher priority goes first.
enum class Priority : u8 { low, normal, high, critical };

/// The name that dashboards show: "porep-c2", "snap-update", "window-post", "winning-post".
std::string_view name(Kind kind);

/// The name as a label of metrics: the same with underscores.
std::string label(Kind kind);

/// WinningPoSt critical, WindowPoSt high, the others normal.
Priority default_priority(Kind kind);

/// The input of a proof as it came; which fields are used depends on the kind. It is secret: never logged.
struct ProofInput {
  Kind kind = Kind::porep;
  u64 sector_size = 0;                      ///< bytes; 0: the input says it
  u64 registered_proof = 0;                 ///< Filecoin's number of the proof type
  std::string vanilla_proof;                ///< PoRep: the C1 JSON
  std::vector<std::string> vanilla_proofs;  ///< the others: bincode
  u64 sector_number = 0;
  u64 miner_id = 0;
  std::string randomness;  ///< 32 raw bytes, as the commitments
  u32 partition_index = 0;
  std::string comm_r_old, comm_r_new, comm_d_new;

  /// Of all that it holds, for the budget of what is queued.
  u64 bytes() const;
};

/// SHA-256 over every field, each with its length. Equal digests mean the same proof is wanted.
using InputDigest = std::array<u8, 32>;
InputDigest digest(const ProofInput& input);

/// The blinding of one partition. May be called again for another attempt, from any thread.
using PartitionBlinding = std::function<groth16::Blinding(std::size_t partition)>;

struct ProofRequest {
  std::string request_id;  ///< the caller's; need not be unique
  Priority priority = Priority::normal;
  ProofInput input;
  PartitionBlinding blinding;  ///< empty: fresh from the operating system
  /// After it nobody wants the proof: a job that has not ended by then is timed out. Orders jobs of one priority.
  std::optional<std::chrono::steady_clock::time_point> deadline{};
};

}  // namespace cuzk::engine
