// Batches of Poseidon hashes equal hashes made one by one, whatever their number and whichever kernels make them.
#include "hash/poseidon_batch.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "field/kernels.h"
#include "hash/poseidon.h"
#include "support/random.h"

namespace cuzk {
namespace {

std::vector<PoseidonKind> kinds() {
  std::vector<PoseidonKind> result{PoseidonKind::randomness()};
  for (std::size_t arity = 1; arity <= kPoseidonLaneArity; ++arity) result.push_back(PoseidonKind::merkle(arity));
  return result;
}

std::vector<Fr> reference(const PoseidonKind& kind, std::span<const Fr> inputs) {
  std::vector<Fr> hashes;
  for (std::size_t i = 0; i < inputs.size(); i += kind.arity())
    hashes.push_back(poseidon_reference(kind.constants, kind.tag, inputs.subspan(i, kind.arity())));
  return hashes;
}

/// Elements at the edges of the field and of limbs of 52 and 64 bits, in every combination that a random walk meets.
std::vector<Fr> edge_fields(std::size_t count, test::Random& random) {
  const Fr small = Fr::from_montgomery_unchecked(Limbs<4>{{1}});
  const std::vector<Fr> edges{Fr::zero(),
                              Fr::one(),
                              -Fr::one(),
                              small,
                              -small,
                              Fr::from_montgomery_unchecked(Limbs<4>{{(u64{1} << 52) - 1}}),
                              Fr::from_montgomery_unchecked(Limbs<4>{{~u64{0}, ~u64{0}, ~u64{0}, u64{1} << 60}})};
  std::vector<Fr> result;
  while (result.size() < count) result.push_back(edges[random() % edges.size()]);
  return result;
}

TEST(PoseidonBatch, HashesEqualTheReferenceForEveryNumberOfThem) {
  test::Random random(11);
  for (const PoseidonKind& kind : kinds())
    for (const std::size_t count : {0, 1, 2, 7, 8, 9, 17}) {
      const std::vector<Fr> inputs = test::random_fields<Fr>(count * kind.arity(), random);
      EXPECT_EQ(poseidon_hashes(kind, inputs), reference(kind, inputs)) << kind.arity() << " x " << count;
    }
}

TEST(PoseidonBatch, HashesEqualTheReferenceAtTheEdgesOfTheField) {
  test::Random random(12);
  for (const PoseidonKind& kind : kinds()) {
    const std::vector<Fr> inputs = edge_fields(32 * kind.arity(), random);
    EXPECT_EQ(poseidon_hashes(kind, inputs), reference(kind, inputs)) << kind.arity();
  }
}

TEST(PoseidonBatch, TakesAritiesThatHaveNoLanes) {
  test::Random random(13);
  const PoseidonKind kind = PoseidonKind::merkle(kPoseidonMaxArity);
  const std::vector<Fr> inputs = test::random_fields<Fr>(3 * kind.arity(), random);
  EXPECT_EQ(poseidon_hashes(kind, inputs), reference(kind, inputs));
}

TEST(PoseidonBatch, KernelsGiveTheSameTraces) {
  if (!is_supported(Kernels::ifma)) GTEST_SKIP() << "this processor has one kind of kernels";
  test::Random random(14);
  for (const PoseidonKind& kind : kinds())
    for (const std::size_t count : {1, 8, 13}) {
      const std::vector<Fr> inputs = count == 13 ? edge_fields(count * kind.arity(), random)
                                                 : test::random_fields<Fr>(count * kind.arity(), random);
      std::vector<Fr> portable(count * kind.trace_size()), ifma(portable.size());
      detail::poseidon_traces_portable(kind, inputs, portable);
      detail::poseidon_traces_ifma(kind, inputs, ifma);
      EXPECT_EQ(portable, ifma) << kind.arity() << " x " << count;
    }
}

TEST(PoseidonBatch, TracesEndWithTheHash) {
  test::Random random(15);
  const PoseidonKind kind = PoseidonKind::merkle(8);
  const std::vector<Fr> inputs = test::random_fields<Fr>(5 * kind.arity(), random);
  std::vector<Fr> traces(5 * kind.trace_size());
  poseidon_traces(kind, inputs, traces);
  for (std::size_t i = 0; i < 5; ++i)
    EXPECT_EQ(traces[(i + 1) * kind.trace_size() - 1], poseidon(std::span(inputs).subspan(i * 8, 8)));
}

TEST(PoseidonBatch, RefusesSizesThatDoNotFit) {
  const PoseidonKind kind = PoseidonKind::merkle(2);
  const std::vector<Fr> inputs(5, Fr::one());
  std::vector<Fr> hashes(2);
  EXPECT_THROW(poseidon_hashes(kind, inputs, hashes), Error);
  EXPECT_THROW(poseidon_traces(kind, inputs, hashes), Error);
}

}  // namespace
}  // namespace cuzk
