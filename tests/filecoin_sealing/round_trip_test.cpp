// What is written can be read: vanilla proofs of random values, in every format.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "filecoin/c1_decoder.h"
#include "filecoin/porep_check.h"
#include "filecoin/sealing/c1_writer.h"
#include "filecoin/sealing/sparse_porep.h"
#include "filecoin/sealing/vanilla_writer.h"
#include "support/random_requests.h"

namespace cuzk::filecoin {
namespace {

using test::Random, test::random_post, test::random_update;

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
