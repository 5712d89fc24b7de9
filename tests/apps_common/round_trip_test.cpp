// The files that commands write for one another: requests of random values, scalars.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/hex.h"
#include "common/request_file.h"
#include "common/request_writer.h"
#include "common/scalars.h"
#include "filecoin/sealing/vanilla_writer.h"
#include "support/random_requests.h"

namespace cuzk::apps {
namespace {

using filecoin::PostKind;
using test::Random;

std::string text_of(std::span<const u8> bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

/// Of a size that the network has: others have no registered proof that a request could name.
filecoin::VanillaPost requested_post(Random& random) {
  auto post = test::random_post(random);
  while (!post.proof.shape->official) post = test::random_post(random);
  return post;
}

RC_GTEST_PROP(RoundTrip, PostThroughARequestFile, (u64 seed, u64 miner)) {
  Random random(seed);
  const auto post = requested_post(random);
  const auto kind = post.proof.kind == PostKind::winning ? engine::Kind::winning_post : engine::Kind::window_post;
  const auto input = parse_request_file(request_of(post, miner), kind, {});
  RC_ASSERT(filecoin::PostProof::from_number(input.registered_proof).name() == post.proof.name());
  RC_ASSERT(input.sector_size == post.proof.shape->bytes);
  RC_ASSERT(input.miner_id == miner);
  RC_ASSERT(input.randomness == text_of(post.randomness));
  RC_ASSERT(input.partition_index == post.first_partition);
  RC_ASSERT(input.vanilla_proofs == filecoin::encode_post(post));
}

RC_GTEST_PROP(RoundTrip, UpdateThroughARequestFile, (u64 seed, u64 miner)) {
  Random random(seed);
  const auto update = test::random_update(random);
  const auto input = parse_request_file(request_of(update, miner), engine::Kind::snap, {});
  RC_ASSERT(input.sector_size == update.shape->bytes);
  if (update.shape->official) RC_ASSERT(&filecoin::update_shape_of(input.registered_proof) == update.shape);
  RC_ASSERT(input.miner_id == miner);
  RC_ASSERT(input.comm_r_old == text_of(update.comm_r_old.to_bytes()));
  RC_ASSERT(input.comm_d_new == text_of(update.comm_d_new.to_bytes()));
  RC_ASSERT(input.comm_r_new == text_of(update.comm_r_new.to_bytes()));
  RC_ASSERT(input.vanilla_proofs == filecoin::encode_update(update));
}

RC_GTEST_PROP(RoundTrip, ScalarsThroughText, (u64 seed)) {
  Random random(seed);
  const Fr scalar = test::random_field<Fr>(random);
  RC_ASSERT(parse_scalar(to_hex(scalar.to_bytes()), "scalar") == scalar);
}

}  // namespace
}  // namespace cuzk::apps
