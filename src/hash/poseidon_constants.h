/// Poseidon over Fr with the S-box x^5 (Grassi, Khovratovich, Rechberger, Roy, Schofnegger, "Poseidon: A New Hash
/// Function for Zero-Knowledge Proof Systems", 2019), as Filecoin instantiates it: the constants, all derived here.
///
/// A state has width = arity + 1 elements. A permutation has 4 full rounds, the partial rounds, and 4 full rounds.
/// The plain form: each round adds `width` round constants, applies the S-box (to element 0 alone in a partial round),
/// multiplies by the MDS matrix m_ij = 1 / (i + j + width). The round constants come from hash/grain.h.
///
/// The compressed form is the same function: constants are moved behind the S-boxes and through the linear layers, and
/// the matrices of the partial rounds are factored into sparse ones (Appendix B of the paper). Circuits use this form:
///   first the constants [0, width) are added; then round after round the S-box, which adds its constant to its result
///   (next in the list; none in the last round), and a product: `mds`, but `pre_sparse` in the last full round of the
///   first half, and `sparse[i]` in partial round i.
/// In products the state is a row vector: result_j = sum over i of state_i * m_ij.
#pragma once

#include <span>
#include <vector>

#include "field/fr.h"

namespace cuzk {

inline constexpr std::size_t kPoseidonFullRounds = 8;
inline constexpr std::size_t kPoseidonMaxArity = 36;
inline constexpr std::size_t kPoseidonMostPartialRounds = 60;  ///< of the widest state

/// A square matrix, row after row.
struct PoseidonMatrix {
  std::size_t width;
  std::vector<Fr> items;

  explicit PoseidonMatrix(std::size_t size) : width(size), items(size * size, Fr::zero()) {}
  Fr& at(std::size_t row, std::size_t column) { return items[row * width + column]; }
  const Fr& at(std::size_t row, std::size_t column) const { return items[row * width + column]; }
};

/// A matrix that is the identity but for its first column (column) and the rest of its first row (row).
struct PoseidonSparse {
  std::vector<Fr> column;  ///< width elements, the corner first
  std::vector<Fr> row;     ///< width - 1 elements, the corner left out
};

/// The constants of one arity; the domain tag is not among them.
struct PoseidonConstants {
  /// Derives everything, which takes about a millisecond. Throws Error{invalid_input} for an arity that is 0 or above
  /// kPoseidonMaxArity.
  explicit PoseidonConstants(std::size_t arity);

  /// The one object of an arity in this process, derived at its first use. Any thread may call.
  static const PoseidonConstants& of_arity(std::size_t arity);

  std::size_t arity, width;
  std::size_t partial_rounds;
  PoseidonMatrix mds;
  std::vector<Fr> round_constants;  ///< plain form: width for each round
  std::vector<Fr> compressed;       ///< compressed form: full rounds * width + partial rounds
  PoseidonMatrix pre_sparse;
  std::vector<PoseidonSparse> sparse;  ///< one for each partial round
};

/// 2^arity - 1: the first state element in all trees, columns and commitments.
Fr poseidon_merkle_tag(std::size_t arity);

/// 2^40: the first state element where sector updates derive randomness.
Fr poseidon_randomness_tag();

}  // namespace cuzk
