/// Sparse sectors: satisfiable requests of any sector size without sealing. A circuit sees the challenged nodes, their
/// parents and Merkle paths alone; so these have values of their own, and every other node has a default.
///
/// They are tests, not storage: anyone can see that they hold nothing.
#pragma once

#include <string_view>

#include "field/fr.h"
#include "filecoin/node.h"

namespace cuzk::filecoin {

/// What the data of a sparse sector is: all nodes zero, or values that are not.
enum class SparseData { zero, filled };

/// The values of a sparse sector, all derived from a text.
class SparseValues {
 public:
  /// The master seed is the text's SHA-256.
  explicit SparseValues(std::string_view seed_text);

  /// SHA-256(master seed || tag || a, little-endian u64 || b, little-endian u64).
  Node raw(std::string_view tag, u64 a, u64 b) const;
  /// The same with its two top bits cleared.
  Node node(std::string_view tag, u64 a, u64 b) const { return clear_top_bits(raw(tag, a, b)); }
  Fr element(std::string_view tag, u64 a, u64 b) const { return Fr::from_bytes(node(tag, a, b)).value(); }

 private:
  Node master_seed_;
};

/// Of whom and which the sectors are where nobody says it.
inline constexpr u64 kSparseSector = 4242, kSparseMiner = 1000;

}  // namespace cuzk::filecoin
