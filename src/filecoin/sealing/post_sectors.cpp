#include "filecoin/sealing/post_sectors.h"

#include "base/error.h"

namespace cuzk::filecoin {

VanillaPost prove_post(const PostProof& proof, const Node& randomness, std::span<const SealedSector* const> sectors) {
  if (sectors.empty() || (proof.kind == PostKind::winning && sectors.size() != 1))
    throw invalid_input("{} of {} sectors", proof.name(), sectors.size());
  VanillaPost post{proof, randomness, 0, {}};
  for (const SealedSector* sector : sectors) {
    const SectorIdentity& identity = sector->identity();
    if (identity.proof.shape != proof.shape)
      throw invalid_input("sector {} has {}, {} is of another size", identity.sector_number,
                          identity.proof.shape->proof_name, proof.name());
    const auto challenges = post_challenges(proof, randomness, identity.sector_number, post.sectors.size());
    post.sectors.push_back(
        open_post_sector(identity.sector_number, sector->commitments().comm_c, sector->replica_tree(), challenges));
  }
  return post;
}

}  // namespace cuzk::filecoin
