/// The registered proofs of spacetime, and which nodes of a sector they open.
#pragma once

#include <string>
#include <vector>

#include "filecoin/node.h"
#include "filecoin/seal_proof.h"
#include "filecoin/sector_shape.h"

namespace cuzk::filecoin {

enum class PostKind : u8 { winning, window };

struct PostProof {
  PostKind kind;
  ApiVersion api_version;    ///< winning is always 1.0
  const SectorShape* shape;  ///< never null

  /// By Filecoin's number: 0 to 4 winning, 5 to 9 window of API 1.0, 10 to 14 window of API 1.2. Throws
  /// Error{invalid_input}.
  static PostProof from_number(u64 number);

  /// Such as "StackedDrgWindow32GiBV1_2".
  std::string name() const;

  u32 challenges_per_sector() const;  ///< as vanilla proofs have them: 66 of winning, 10 of window
  u32 sectors_per_partition() const;  ///< 1 of winning
};

/// The challenged leaves of one sector. `position`: of the sector among all of the request, over all partitions; API
/// 1.2 does not look at it.
std::vector<u64> post_challenges(const PostProof& proof, const Node& randomness, u64 sector_number, u64 position);

/// Which of `sectors` a WinningPoSt challenges.
u64 winning_sector(const Node& prover_id, const Node& randomness, u64 draw, u64 sectors);

}  // namespace cuzk::filecoin
