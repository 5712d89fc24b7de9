#include "filecoin/sealing/sparse_post.h"

#include "base/error.h"
#include "filecoin/circuits/blank_path.h"
#include "filecoin/sealing/post_sectors.h"

namespace cuzk::filecoin {
namespace {

constexpr u64 kNumberStep = 3;  // between sectors

VanillaPostSector sparse_sector(const PostProof& proof, const SparseValues& values, const Node& randomness,
                                u64 position, ThreadPool& pool) {
  const u64 number = kSparseSector + kNumberStep * position;
  const auto challenges = post_challenges(proof, randomness, number, position);
  std::unordered_map<u64, Fr> leaves;
  for (const u64 challenge : challenges) leaves.emplace(challenge, values.element("leaf", number, challenge));
  const SparseMerkleTree<PoseidonRule> tree(poseidon_tree_levels(*proof.shape), values.element("default-leaf", 0, 0),
                                            std::move(leaves), pool);
  return open_post_sector(number, values.element("comm-c", number, 0), tree, challenges);
}

}  // namespace

VanillaPost sparse_post(const PostProof& proof, std::string_view seed_text, u32 sectors, ThreadPool& pool) {
  if (sectors == 0 || (proof.kind == PostKind::winning && sectors != 1))
    throw invalid_input("{} of {} sectors", proof.name(), sectors);
  const SparseValues values(seed_text);
  VanillaPost post{proof, values.node("randomness", 0, 0), 0, {}};
  post.sectors.resize(sectors);
  pool.parallel_for(0, sectors, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) post.sectors[i] = sparse_sector(proof, values, post.randomness, i, pool);
  });
  return post;
}

}  // namespace cuzk::filecoin
