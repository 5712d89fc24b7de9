// What is written can be read: vanilla proofs of random values, in every format.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "filecoin/c1_decoder.h"
#include "filecoin/circuits/blank_path.h"
#include "filecoin/porep_check.h"
#include "filecoin/sealing/c1_writer.h"
#include "filecoin/sealing/sparse_porep.h"
#include "filecoin/sealing/vanilla_writer.h"
#include "support/random.h"

namespace cuzk::filecoin {
namespace {

using test::Random;

/// From 2 KiB to 8 MiB: with every form of trees.
const SectorShape& any_shape(Random& random) { return sector_shapes()[random() % 5]; }

MerkleOpening random_opening(std::span<const u32> arities, Random& random) {
  MerkleOpening opening{test::random_field<Fr>(random), test::random_field<Fr>(random), {}};
  for (const u32 arity : arities)
    opening.path.push_back({test::random_fields<Fr>(arity - 1, random), static_cast<u32>(random() % arity)});
  return opening;
}

VanillaPost random_post(Random& random) {
  const bool winning = random() % 2 == 0;
  VanillaPost post{{winning ? PostKind::winning : PostKind::window, winning ? ApiVersion::v1_0 : ApiVersion::v1_2,
                    &any_shape(random)},
                   test::random_field<Fr>(random).to_bytes(),
                   static_cast<u32>(random()),
                   {}};
  const auto levels = poseidon_tree_levels(*post.proof.shape);
  for (u64 left = winning ? 1 : 1 + random() % 3; left > 0; --left) {
    VanillaPostSector& sector = post.sectors.emplace_back();
    sector.number = random();
    for (Fr* value : {&sector.comm_r, &sector.comm_c, &sector.comm_r_last}) *value = test::random_field<Fr>(random);
    for (u32 i = 0; i < post.proof.challenges_per_sector(); ++i)
      sector.openings.push_back(random_opening(levels, random));
  }
  return post;
}

VanillaUpdate random_update(Random& random) {
  const SectorShape* shape = &any_shape(random);
  while (shape->update.partitions == 0) shape = &any_shape(random);
  VanillaUpdate update{
      shape, test::random_field<Fr>(random), test::random_field<Fr>(random), test::random_field<Fr>(random), {}};
  const auto levels = poseidon_tree_levels(*shape);
  const std::vector<u32> data_levels(shape->log2_nodes(), 2);
  update.partitions.resize(shape->update.partitions);
  for (VanillaUpdatePartition& partition : update.partitions) {
    partition.comm_c = test::random_field<Fr>(random);
    partition.apex_leaves = test::random_fields<Fr>(shape->update.apex_leaves, random);
    for (u32 i = 0; i < shape->update.challenges; ++i)
      partition.challenges.push_back(
          {random_opening(levels, random), random_opening(data_levels, random), random_opening(levels, random)});
  }
  return update;
}

RC_GTEST_PROP(RoundTrip, PostThroughBincode, (u64 seed)) {
  Random random(seed);
  const VanillaPost post = random_post(random);
  const auto written = encode_post(post);
  const VanillaPost read = decode_post({post.proof, post.randomness, post.first_partition}, written);
  RC_ASSERT(read.randomness == post.randomness);
  RC_ASSERT(read.first_partition == post.first_partition);
  RC_ASSERT(read.sectors.size() == post.sectors.size());
  for (std::size_t i = 0; i < read.sectors.size(); ++i) RC_ASSERT(read.sectors[i].number == post.sectors[i].number);
  RC_ASSERT(encode_post(read) == written);  // every value stands in it
}

RC_GTEST_PROP(RoundTrip, UpdateThroughBincode, (u64 seed)) {
  Random random(seed);
  const VanillaUpdate update = random_update(random);
  const auto written = encode_update(update);
  const auto old = update.comm_r_old.to_bytes(), data = update.comm_d_new.to_bytes(),
             now = update.comm_r_new.to_bytes();
  const VanillaUpdate read = decode_update({*update.shape, old, data, now}, written);
  RC_ASSERT(read.comm_r_old == update.comm_r_old);
  RC_ASSERT(read.comm_d_new == update.comm_d_new);
  RC_ASSERT(read.comm_r_new == update.comm_r_new);
  RC_ASSERT(encode_update(read) == written);
}

/// The sector is as it was asked for, and what was read passes the checks: every value that the circuit takes is there.
RC_GTEST_PROP(RoundTrip, PorepThroughC1, (u64 seed)) {
  Random random(seed);
  const SealProof proof{random() % 2 == 0 ? SealVariant::v1 : SealVariant::v1_1, &sector_shapes()[random() % 2]};
  const SparsePorepOrder order{proof, std::to_string(seed), random() % 100'000, random() % 100'000,
                               random() % 2 == 0 ? SparseData::zero : SparseData::filled};
  const SparsePorep sector(order, ThreadPool::shared());
  const VanillaPorep read = decode_c1(c1_json(sector, sector.seed(), ThreadPool::shared()));
  RC_ASSERT(read.proof.name() == proof.name());
  RC_ASSERT(read.sector_number == order.sector_number);
  RC_ASSERT(read.replica_id == sector.commitments().replica_id);
  RC_ASSERT(read.comm_d == sector.commitments().comm_d);
  RC_ASSERT(read.comm_r == sector.commitments().comm_r.to_bytes());
  RC_ASSERT(read.seed == sector.seed());
  RC_ASSERT(read.ticket == sector.identity().ticket);
  check_porep(read, order.miner_id, ThreadPool::shared());
}

}  // namespace
}  // namespace cuzk::filecoin
