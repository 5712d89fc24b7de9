/// Poseidon hashes of the circuits, computed ahead from their inputs: those that do not depend on each other go eight
/// side by side (gadgets/prepare_paths.h). A Compiler has no values and needs none of it.
///
/// Each function takes over builder.prepared(), so what was prepared before must have been used. It knows the order in
/// which the circuit hashes; were it wrong, or the input inconsistent, the circuit would hash by itself.
#pragma once

#include <span>

#include "filecoin/circuits/porep_input.h"
#include "filecoin/circuits/post_input.h"
#include "filecoin/circuits/update.h"
#include "filecoin/circuits/update_input.h"
#include "r1cs/compiler.h"
#include "r1cs/witness_builder.h"

namespace cuzk::filecoin {

/// The columns of a challenge and their paths in tree C, and the node's path in tree R-last.
void prepare_porep_challenge(r1cs::WitnessBuilder& builder, const Fr& replica_id, const PorepChallenge& challenge);
inline void prepare_porep_challenge(r1cs::Compiler&, const Fr&, const PorepChallenge&) {}

/// comm_r of some sectors and all of their paths.
void prepare_post_sectors(r1cs::WitnessBuilder& builder, std::span<const PostSector> sectors);
inline void prepare_post_sectors(r1cs::Compiler&, std::span<const PostSector>) {}

/// How many sectors have paths that fill whole registers, if each has so many.
std::size_t post_sectors_together(std::size_t paths);

/// Some challenges of a partition: rho, and both paths. phi as the circuit computes it.
void prepare_update_challenges(r1cs::WitnessBuilder& builder, const UpdateShape& shape, const UpdateInput& input,
                               const Fr& phi, std::span<const UpdateChallenge> challenges);
template <class Signal>
void prepare_update_challenges(r1cs::Compiler&, const UpdateShape&, const UpdateInput&, const Signal&,
                               std::span<const UpdateChallenge>) {}

/// Challenges of an update that are prepared together: two paths each.
inline constexpr std::size_t kUpdateChallengesTogether = 8;

}  // namespace cuzk::filecoin
