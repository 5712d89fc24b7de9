// The largest witness of all, 125 million field elements, is the one that the network's own circuit gives. Its
// evaluations are left out: its constraints are those of the winning circuit.
#include <gtest/gtest.h>

#include "base/hex.h"
#include "base/thread_pool.h"
#include "filecoin/circuits/post.h"
#include "filecoin/sealing/sparse_post.h"
#include "r1cs/witness_digest.h"
#include "support/vectors.h"

namespace cuzk::filecoin {
namespace {

TEST(FullWitness, Window32GiBIsTheNetworks) {
  const std::string seed = test::vector_json("sparse/window-32g.meta.json").at("master_seed_text");
  const PostProof proof{PostKind::window, ApiVersion::v1_2, &sector_shape("32g")};
  const VanillaPost post = sparse_post(proof, seed, 3, ThreadPool::shared());
  const r1cs::Witness witness = post_witness(post.input(0));
  const auto& golden = test::vector_json("sparse/window-32g.synthesis.json")["witness"];
  EXPECT_EQ(witness.aux_count(), golden["count"].get<u32>());
  EXPECT_EQ(to_hex(r1cs::digest(witness)), golden["sha256"].get<std::string>());
}

}  // namespace
}  // namespace cuzk::filecoin
