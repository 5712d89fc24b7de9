/// Merkle proofs in bincode, as vanilla proofs of spacetime and of sector updates hold them.
#pragma once

#include <span>
#include <string_view>

#include "field/fr.h"
#include "filecoin/bincode_reader.h"
#include "filecoin/sector_shape.h"
#include "gadgets/merkle_path.h"

namespace cuzk::filecoin {

/// A leaf's proof: all values are canonical, the path has the levels asked for and every index is below its arity.
/// Whether it leads to its root is not looked at.
struct MerkleOpening {
  Fr root, leaf;
  gadgets::MerklePath path;
};

/// The trees that a proof goes through: base alone, base and sub, or base, sub and top. The number is the enum's tag.
enum class ProofTrees : u32 { single = 0, sub = 1, top = 2 };

/// Those of a sector's trees C and R-last.
ProofTrees trees_of(const SectorShape& shape);

/// Reads a proof whose levels have these arities, from the leaves up. Throws Error{invalid_input}: what "cannot be
/// read", and what can but has other levels, an index out of range or a value that is no field element.
MerkleOpening read_opening(BincodeReader& reader, std::string_view field, ProofTrees trees,
                           std::span<const u32> arities);

/// A node as a field element; throws Error{invalid_input} naming the field.
Fr read_element(BincodeReader& reader, std::string_view field);

/// A node of any origin as a field element.
Fr element_of(const Node& node, std::string_view source, std::string_view field);

}  // namespace cuzk::filecoin
