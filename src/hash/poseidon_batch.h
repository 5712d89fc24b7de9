/// Many Poseidon hashes of one arity and tag: eight side by side where the processor has AVX-512 IFMA (field/kernels.h)
/// and the arity is at most kPoseidonLaneArity, else one after another. Both ways give the same values.
///
/// Inputs stand one hash after another, `arity` elements each; so do traces. Sizes that do not fit each other throw
/// Error{internal}. All functions may be called from any thread.
#pragma once

#include <span>
#include <vector>

#include "hash/poseidon_form.h"
#include "hash/poseidon_trace.h"

namespace cuzk {

/// What all hashes of a batch have in common.
struct PoseidonKind {
  const PoseidonConstants& constants;
  Fr tag;

  /// Of nodes of trees, columns, comm_r.
  static PoseidonKind merkle(std::size_t arity) {
    return {PoseidonConstants::of_arity(arity), poseidon_merkle_tag(arity)};
  }
  /// Of what sector updates derive from pairs.
  static PoseidonKind randomness() { return {PoseidonConstants::of_arity(2), poseidon_randomness_tag()}; }

  static PoseidonKind of(const PoseidonForm& form) {
    return form.tag == PoseidonTag::merkle ? merkle(form.arity)
                                           : PoseidonKind{PoseidonConstants::of_arity(form.arity),
                                                          poseidon_randomness_tag()};
  }

  std::size_t arity() const { return constants.arity; }
  std::size_t trace_size() const { return poseidon_trace_size(constants); }
};

/// Above it a sum of products of lanes could leave their range.
inline constexpr std::size_t kPoseidonLaneArity = 11;

/// hashes.size() hashes.
void poseidon_hashes(const PoseidonKind& kind, std::span<const Fr> inputs, std::span<Fr> hashes);
std::vector<Fr> poseidon_hashes(const PoseidonKind& kind, std::span<const Fr> inputs);

/// The traces of hashes (hash/poseidon_trace.h): trace_size() values each, of which the last is the hash.
void poseidon_traces(const PoseidonKind& kind, std::span<const Fr> inputs, std::span<Fr> traces);

namespace detail {
/// One implementation each, for differential tests; ifma may only be called where is_supported(Kernels::ifma), and up
/// to kPoseidonLaneArity.
void poseidon_hashes_portable(const PoseidonKind& kind, std::span<const Fr> inputs, std::span<Fr> hashes);
void poseidon_traces_portable(const PoseidonKind& kind, std::span<const Fr> inputs, std::span<Fr> traces);
void poseidon_hashes_ifma(const PoseidonKind& kind, std::span<const Fr> inputs, std::span<Fr> hashes);
void poseidon_traces_ifma(const PoseidonKind& kind, std::span<const Fr> inputs, std::span<Fr> traces);
}  // namespace detail

}  // namespace cuzk
