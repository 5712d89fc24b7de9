// Witnesses of sparse sectors of 32 GiB and what the three sides of their constraints are, value for value, as the
// network's own circuits give them.
#include <gtest/gtest.h>

#include "base/hex.h"
#include "base/thread_pool.h"
#include "filecoin/c1_decoder.h"
#include "filecoin/circuits/porep.h"
#include "filecoin/circuits/post.h"
#include "filecoin/circuits/update.h"
#include "filecoin/sealing/sparse_post.h"
#include "filecoin/sealing/sparse_update.h"
#include "hash/element_hasher.h"
#include "r1cs/evaluator.h"
#include "r1cs/witness_digest.h"
#include "support/vectors.h"

namespace cuzk::filecoin {
namespace {

void check(const std::string& name, const r1cs::Circuit& circuit, const r1cs::Witness& witness) {
  ThreadPool& pool = ThreadPool::shared();
  ElementHasher a, b, c;
  u64 wrong = 0;
  r1cs::Evaluator(circuit).for_each_slice(witness, pool, [&](const r1cs::Evaluator::Slice& slice) {
    for (std::size_t i = 0; i < slice.a.size(); ++i) wrong += slice.a[i] * slice.b[i] == slice.c[i] ? 0 : 1;
    pool.invoke([&] { a.add(slice.a); }, [&] { b.add(slice.b); }, [&] { c.add(slice.c); });
  });
  const auto& golden = test::vector_json("sparse/" + name + ".synthesis.json");
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(to_hex(r1cs::digest(witness)), golden["witness"]["sha256"]);
  EXPECT_EQ(to_hex(a.finish()), golden["a"]["sha256"]);
  EXPECT_EQ(to_hex(b.finish()), golden["b"]["sha256"]);
  EXPECT_EQ(to_hex(c.finish()), golden["c"]["sha256"]);
}

std::string seed_of(const std::string& name) {
  return test::vector_json("sparse/" + name + ".meta.json").at("master_seed_text");
}

TEST(FullEvaluation, Porep32GiBIsTheNetworks) {
  const PorepInput input = decode_c1(test::vector_text("sparse/porep-32g.c1.json.xz")).partitions[0];
  check("porep-32g.p0", compile_porep(sector_shape("32g")), porep_witness(input));
}

TEST(FullEvaluation, Snap32GiBIsTheNetworks) {
  const SectorShape& shape = sector_shape("32g");
  const VanillaUpdate update = sparse_update(shape, seed_of("snap-32g"), SparseData::filled, ThreadPool::shared());
  check("snap-32g.p0", compile_update(shape), update_witness(shape, update.input(0)));
}

TEST(FullEvaluation, SnapOfZeros32GiBIsTheNetworks) {
  const SectorShape& shape = sector_shape("32g");
  const VanillaUpdate update = sparse_update(shape, seed_of("snap-32g-zero"), SparseData::zero, ThreadPool::shared());
  check("snap-32g-zero.p0", compile_update(shape), update_witness(shape, update.input(0)));
}

TEST(FullEvaluation, Winning32GiBIsTheNetworks) {
  const SectorShape& shape = sector_shape("32g");
  const PostProof proof{PostKind::winning, ApiVersion::v1_0, &shape};
  const VanillaPost post = sparse_post(proof, seed_of("winning-32g"), 1, ThreadPool::shared());
  check("winning-32g", compile_post(shape, winning_counts()), post_witness(post.input(0)));
}

/// The largest of all: 125 million field elements.
TEST(FullEvaluation, Window32GiBIsTheNetworks) {
  const SectorShape& shape = sector_shape("32g");
  const PostProof proof{PostKind::window, ApiVersion::v1_2, &shape};
  const VanillaPost post = sparse_post(proof, seed_of("window-32g"), 3, ThreadPool::shared());
  check("window-32g", compile_post(shape, window_counts(shape)), post_witness(post.input(0)));
}

}  // namespace
}  // namespace cuzk::filecoin
