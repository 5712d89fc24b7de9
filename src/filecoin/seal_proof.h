/// The registered seal proofs: the types of PoRep that the network knows, by number and by name.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "filecoin/node.h"
#include "filecoin/sector_shape.h"

namespace cuzk::filecoin {

/// How challenges are chosen. All variants share circuits and keys.
enum class SealVariant : u8 {
  v1,               ///< interactive, graph of API 1.0
  v1_1,             ///< interactive
  synthetic,        ///< interactive, out of a set that was fixed before the seed
  non_interactive,  ///< out of comm_r, without a seed
};
inline constexpr std::array kSealVariants{SealVariant::v1, SealVariant::v1_1, SealVariant::synthetic,
                                          SealVariant::non_interactive};

/// Decides the graph; 1.1 and 1.2 have the same one.
enum class ApiVersion : u8 { v1_0, v1_1, v1_2 };

struct SealProof {
  SealVariant variant;
  const SectorShape* shape;  ///< never null

  /// By Filecoin's number, 0 to 19. Throws Error{invalid_input}.
  static SealProof from_number(u64 number);

  /// By name, such as "StackedDrg32GiBV1_1"; sizes that the network does not have are named in the same way. Throws
  /// Error{invalid_input}.
  static SealProof from_name(std::string_view name);

  /// The number; of sizes that the network does not have, that of the 2KiB proof of the same variant.
  u64 number() const;

  std::string name() const;

  /// The tag of vanilla proofs: the name of the size's first proof, such as "StackedDrg32GiBV1".
  std::string size_tag() const;

  ApiVersion api_version() const;

  /// The number, little-endian, and zeros: it seeds graphs and replica ids.
  Node porep_id() const;

  const ChallengeCounts& challenges() const;
};

}  // namespace cuzk::filecoin
