/// Requests for proofs of spacetime and of updates with the form that they must have and random values: what goes into a
/// writer. They prove nothing.
#pragma once

#include "filecoin/circuits/blank_path.h"
#include "filecoin/vanilla_post.h"
#include "filecoin/vanilla_update.h"
#include "support/random.h"

namespace cuzk::test {

using namespace filecoin;

/// From 2 KiB to 8 MiB: with every form of trees.
inline const SectorShape& any_shape(Random& random) { return sector_shapes()[random() % 5]; }

inline MerkleOpening random_opening(std::span<const u32> arities, Random& random) {
  MerkleOpening opening{random_field<Fr>(random), random_field<Fr>(random), {}};
  for (const u32 arity : arities) {
    const auto siblings = random_fields<Fr>(arity - 1, random);
    opening.path.push_back({{siblings.begin(), siblings.end()}, static_cast<u32>(random() % arity)});
  }
  return opening;
}

inline VanillaPost random_post(Random& random) {
  const bool winning = random() % 2 == 0;
  VanillaPost post{{winning ? PostKind::winning : PostKind::window, winning ? ApiVersion::v1_0 : ApiVersion::v1_2,
                    &any_shape(random)},
                   random_field<Fr>(random).to_bytes(),
                   static_cast<u32>(random()),
                   {}};
  const auto levels = poseidon_tree_levels(*post.proof.shape);
  for (u64 left = winning ? 1 : 1 + random() % 3; left > 0; --left) {
    VanillaPostSector& sector = post.sectors.emplace_back();
    sector.number = random();
    for (Fr* value : {&sector.comm_r, &sector.comm_c, &sector.comm_r_last}) *value = random_field<Fr>(random);
    for (u32 i = 0; i < post.proof.challenges_per_sector(); ++i)
      sector.openings.push_back(random_opening(levels, random));
  }
  return post;
}

inline VanillaUpdate random_update(Random& random) {
  const SectorShape* shape = &any_shape(random);
  while (shape->update.partitions == 0) shape = &any_shape(random);
  VanillaUpdate update{shape, random_field<Fr>(random), random_field<Fr>(random), random_field<Fr>(random), {}};
  const auto levels = poseidon_tree_levels(*shape);
  const std::vector<u32> data_levels(shape->log2_nodes(), 2);
  update.partitions.resize(shape->update.partitions);
  for (VanillaUpdatePartition& partition : update.partitions) {
    partition.comm_c = random_field<Fr>(random);
    partition.apex_leaves = random_fields<Fr>(shape->update.apex_leaves, random);
    for (u32 i = 0; i < shape->update.challenges; ++i)
      partition.challenges.push_back(
          {random_opening(levels, random), random_opening(data_levels, random), random_opening(levels, random)});
  }
  return update;
}

}  // namespace cuzk::test
