#include "hash/sha256_batch.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/error.h"
#include "field/kernels.h"
#include "support/random.h"

namespace cuzk {
namespace {

using Nodes = void (*)(std::span<const Digest>, std::span<Digest>);

std::vector<Digest> random_digests(std::size_t count) {
  test::Random random(5);
  std::vector<Digest> digests(count);
  for (Digest& digest : digests) {
    for (u8& byte : digest) byte = static_cast<u8>(random());
  }
  return digests;
}

/// Every number of nodes that fills lanes or leaves some empty.
void expect_nodes(Nodes nodes) {
  const auto children = random_digests(2 * 35);
  for (std::size_t count = 0; count <= 35; ++count) {
    std::vector<Digest> parents(count + 1);
    nodes(std::span(children).first(2 * count), std::span(parents).first(count));
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(parents[i], clear_top_bits(Sha256().update(children[2 * i]).update(children[2 * i + 1]).finish()))
          << "node " << i << " of " << count;
    }
    EXPECT_EQ(parents.back(), Digest{}) << "written past the end of " << count;
  }
}

TEST(Sha256Batch, NodesAreThoseMadeOneByOne) { expect_nodes(sha256_nodes); }
TEST(Sha256Batch, PortableCodeIsRight) { expect_nodes(detail::sha256_nodes_portable); }
TEST(Sha256Batch, ExtensionsAreRight) {
  if (!has_sha_extensions()) GTEST_SKIP() << "the processor has no SHA extensions";
  expect_nodes(detail::sha256_nodes_sha_ni);
}
TEST(Sha256Batch, EightLanesAreRight) {
  if (!is_supported(Kernels::avx2)) GTEST_SKIP() << "the processor has no AVX2";
  expect_nodes(detail::sha256_nodes_avx2);
}

TEST(Sha256Batch, RefusesChildrenThatDoNotFit) {
  std::vector<Digest> children(3), parents(2);
  EXPECT_THROW(sha256_nodes(children, parents), Error);
}

}  // namespace
}  // namespace cuzk
