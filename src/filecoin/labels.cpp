#include "filecoin/labels.h"

#include "filecoin/sector_shape.h"

namespace cuzk::filecoin {

Node label_of(const Node& replica_id, u32 layer, u64 node, std::span<const Node> parents) {
  std::array<u8, 32> head{};
  for (std::size_t i = 0; i < 4; ++i) head[i] = static_cast<u8>(layer >> (24 - 8 * i));
  for (std::size_t i = 0; i < 8; ++i) head[4 + i] = static_cast<u8>(node >> (56 - 8 * i));
  Sha256 hash;
  hash.update(replica_id).update(head);
  if (node != 0)
    for (std::size_t i = 0; i < kHashedParents; ++i) hash.update(parents[i % parents.size()]);
  return clear_top_bits(hash.finish());
}

}  // namespace cuzk::filecoin
