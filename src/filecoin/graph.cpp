#include "filecoin/graph.h"

#include <algorithm>
#include <bit>

#include "filecoin/chacha8.h"
#include "hash/blake2b.h"

namespace cuzk::filecoin {
namespace {

constexpr u64 kEdgesPerNode = kDrgParents - 1;  // that DRSample draws; the predecessor is the sixth parent

Digest seed_of(std::string_view domain, const Node& porep_id) {
  return Sha256()
      .update(std::span(reinterpret_cast<const u8*>(domain.data()), domain.size()))
      .update(porep_id)
      .finish();
}

void store_big_endian(u64 value, u8* into) {
  for (std::size_t i = 0; i < 8; ++i) into[i] = static_cast<u8>(value >> (56 - 8 * i));
}

u64 round_function(u64 right, u64 key) {
  std::array<u8, 16> message;
  store_big_endian(right, message.data());
  store_big_endian(key, message.data() + 8);
  const Blake2bDigest digest = blake2b_512(message);
  u64 value = 0;
  for (std::size_t i = 0; i < 8; ++i) value = value << 8 | digest[i];
  return value;
}

/// A parent's distance in edges, DRSample: a bucket of doubling distances, then one of them.
u64 draw_distance(ChaCha8& random, u64 edges) {
  const u64 buckets = static_cast<u64>(std::bit_width(edges - 1));
  // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): the analyzer does not know that node 2, the first, has ten edges
  const u64 bucket = random.next_u64() % buckets + 1;
  const u64 large = std::min(edges, u64{1} << bucket);
  const u64 small = std::max<u64>(2, large / 2);
  return small + random.next_u64() % (large - small + 1);
}

}  // namespace

StackedGraph::StackedGraph(const SectorShape& shape, const Node& porep_id, ApiVersion version)
    : nodes_(shape.nodes()), version_(version) {
  const Digest drg = seed_of("Filecoin_DRSample", porep_id);
  std::copy_n(drg.begin(), drg_seed_.size(), drg_seed_.begin());
  const Digest feistel = seed_of("Filecoin_Feistel", porep_id);
  for (std::size_t i = 0; i < 8 * feistel_keys_.size(); ++i) {
    if (i % 8 == 0) feistel_keys_[i / 8] = 0;
    feistel_keys_[i / 8] |= static_cast<u64>(feistel[i]) << (8 * (i % 8));
  }
  const unsigned bits = static_cast<unsigned>(std::bit_width(kExpanderParents * nodes_ - 1));
  half_bits_ = (bits + 1) / 2;
}

StackedGraph StackedGraph::tabulated() const {
  const u64 values = u64{1} << half_bits_;
  StackedGraph result = *this;
  result.rounds_.resize(feistel_keys_.size() * values);
  for (u64 i = 0; i < result.rounds_.size(); ++i) result.rounds_[i] = static_cast<u32>(round(i / values, i % values));
  return result;
}

DrgParents StackedGraph::drg_parents(u64 node) const {
  DrgParents parents{};
  if (node < 2) return parents;
  std::array<u8, 32> seed;
  std::ranges::copy(drg_seed_, seed.begin());
  for (std::size_t i = 0; i < 4; ++i) seed[28 + i] = static_cast<u8>(node >> (8 * i));
  ChaCha8 random(seed);
  const bool last = version_ == ApiVersion::v1_0;
  for (std::size_t i = 0; i < kEdgesPerNode; ++i) {
    const u64 edges = kEdgesPerNode * node;
    const u64 parent = (edges - draw_distance(random, edges)) / kEdgesPerNode;
    parents[last ? i : i + 1] = std::min(parent, node - 1);
  }
  parents[last ? kEdgesPerNode : 0] = node - 1;
  return parents;
}

ExpanderParents StackedGraph::expander_parents(u64 node) const {
  ExpanderParents parents;
  for (std::size_t i = 0; i < parents.size(); ++i) {
    u64 edge = permute(kExpanderParents * node + i);
    if (version_ == ApiVersion::v1_0) edge &= ~u32{0};  // API 1.0 kept 32 bits of it
    parents[i] = edge / kExpanderParents;
  }
  return parents;
}

u64 StackedGraph::permute(u64 edge) const {
  do edge = feistel(edge);
  while (edge >= kExpanderParents * nodes_);
  return edge;
}

u64 StackedGraph::feistel(u64 value) const {
  const u64 mask = (u64{1} << half_bits_) - 1;
  u64 left = value >> half_bits_, right = value & mask;
  for (std::size_t number = 0; number < feistel_keys_.size(); ++number) {
    const u64 next = left ^ round(number, right);
    left = right;
    right = next;
  }
  return left << half_bits_ | right;
}

u64 StackedGraph::round(std::size_t number, u64 right) const {
  if (!rounds_.empty()) return rounds_[number << half_bits_ | right];
  return round_function(right, feistel_keys_[number]) & ((u64{1} << half_bits_) - 1);
}

}  // namespace cuzk::filecoin
