/// The sizes of sectors and all numbers that follow from a size: layers, trees, partitions, challenges.
///
/// The network has 2KiB, 8MiB, 512MiB, 32GiB and 64GiB; the others exist so that compound trees can be tried on small
/// data. Nothing here depends on a request.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/types.h"

namespace cuzk::filecoin {

inline constexpr u32 kDrgParents = 6;
inline constexpr u32 kExpanderParents = 8;
inline constexpr u32 kHashedParents = 37;  ///< parents' labels in one label's hash, repeated to this number

/// Trees C and R-last: base trees, a sub-tree over their roots, a top tree over those; 0 where there is none.
struct TreeArities {
  u32 base, sub, top;

  /// As Filecoin writes it: "8-8-0".
  std::string text() const;
};

/// How the challenges of a PoRep are spread.
struct ChallengeCounts {
  u32 partitions;
  u32 per_partition;

  friend bool operator==(const ChallengeCounts&, const ChallengeCounts&) = default;
};

/// A sector update (SnapDeals).
struct UpdateCounts {
  u32 partitions;  ///< 0: there is no such circuit
  u32 challenges;  ///< of one partition
  u32 apex_leaves;
  u32 high_bits;  ///< h, the high bits of a node's number that choose its rho, as the network chooses it
};

struct SectorShape {
  std::string_view name;        ///< in circuit ids: "2k"
  std::string_view proof_name;  ///< in names of registered proofs: "2KiB"
  u64 bytes;
  bool official;  ///< whether the network has this size
  u32 layers;
  TreeArities arities;
  ChallengeCounts porep;                  ///< interactive and synthetic
  ChallengeCounts non_interactive_porep;  ///< the same circuit, more partitions
  u32 window_sectors;                     ///< of one partition of WindowPoSt
  UpdateCounts update;

  u64 nodes() const { return bytes / 32; }
  unsigned log2_nodes() const;  ///< also the height of tree D
  /// Number of base trees of C and R-last: 1 without a sub-tree.
  u32 base_trees() const;
  /// Levels of a base tree.
  u32 base_levels() const;
};

inline constexpr u32 kWindowChallenges = 10;   ///< of each sector
inline constexpr u32 kWinningChallenges = 66;  ///< of the one sector; the circuit has it as 66 sectors of one challenge

/// All sizes, ascending.
std::span<const SectorShape> sector_shapes();

/// By number of bytes. Throws Error{invalid_input} naming the size and those that there are.
const SectorShape& sector_shape(u64 bytes);

/// By name in circuit ids, such as "32g". Throws as above.
const SectorShape& sector_shape(std::string_view name);

}  // namespace cuzk::filecoin
