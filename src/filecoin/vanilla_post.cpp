#include "filecoin/vanilla_post.h"

#include <algorithm>

#include "base/error.h"
#include "filecoin/circuits/blank_path.h"

namespace cuzk::filecoin {
namespace {

/// Bytes of a sector proof without openings, and of an opening without a path: what a length may promise at least.
constexpr std::size_t kSectorBytes = 8 + 2 * kNodeBytes, kOpeningBytes = 4 + 2 * kNodeBytes;

class SectorDecoder {
 public:
  SectorDecoder(const PostProof& proof, std::span<const u8> bytes, std::string source)
      : proof_(proof), levels_(poseidon_tree_levels(*proof.shape)), reader_(bytes, std::move(source)) {}

  VanillaPostSector decode() {
    VanillaPostSector sector;
    sector.number = reader_.read_u64("sector_id");
    const Node comm_r = reader_.read_node("comm_r");
    expect_count("sectors", reader_.read_length("sectors", kSectorBytes), 1);
    const std::size_t openings = reader_.read_length("inclusion_proofs", kOpeningBytes);
    expect_count("inclusion_proofs", openings, proof_.challenges_per_sector());
    for (std::size_t i = 0; i < openings; ++i)
      sector.openings.push_back(
          read_opening(reader_, fmt::format("inclusion proof {}", i), trees_of(*proof_.shape), levels_));
    sector.comm_c = read_element(reader_, "comm_c");
    sector.comm_r_last = read_element(reader_, "comm_r_last");
    sector.comm_r = element_of(comm_r, reader_.source(), "comm_r");
    return sector;
  }

 private:
  void expect_count(std::string_view field, std::size_t found, std::size_t expected) const {
    if (found != expected) throw invalid_input("{}: {} {}, expected {}", reader_.source(), found, field, expected);
  }

  const PostProof& proof_;
  std::vector<u32> levels_;
  BincodeReader reader_;
};

Node decode_randomness(std::span<const u8> bytes) {
  Node randomness;
  if (bytes.size() != randomness.size())
    throw invalid_input("randomness: {} bytes, expected {}", bytes.size(), randomness.size());
  std::ranges::copy(bytes, randomness.begin());
  element_of(randomness, "request", "randomness");
  return randomness;
}

std::span<const u8> bytes_of(const std::string& text) {
  return {reinterpret_cast<const u8*>(text.data()), text.size()};
}

/// The request's sectors that stand in a partition, by place, the last one repeated up to its size.
std::vector<std::size_t> places_of(const VanillaPost& post, u32 partition) {
  const std::size_t size = post.proof.sectors_per_partition();
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < size; ++i) places.push_back(std::min(partition * size + i, post.sectors.size() - 1));
  return places;
}

PostSector circuit_sector(const VanillaPostSector& sector, std::span<const MerkleOpening> openings) {
  PostSector result{sector.comm_r, sector.comm_c, sector.comm_r_last, {}, {}};
  for (const MerkleOpening& opening : openings) {
    result.leaves.push_back(opening.leaf);
    result.paths.push_back(&opening.path);
  }
  return result;
}

}  // namespace

VanillaPost decode_post(const PostContext& context, std::span<const std::string> proofs, const std::stop_token& stop) {
  VanillaPost post{context.proof, decode_randomness(context.randomness), context.first_partition, {}};
  if (proofs.empty()) throw invalid_input("vanilla_proofs: none");
  if (context.proof.kind == PostKind::winning && proofs.size() != 1)
    throw invalid_input("vanilla_proofs: {}, WinningPoSt takes one sector", proofs.size());
  for (std::size_t i = 0; i < proofs.size(); ++i) {
    if (stop.stop_requested()) throw Error(Code::cancelled, "reading of a request: stopped");
    post.sectors.push_back(SectorDecoder(post.proof, bytes_of(proofs[i]), fmt::format("vanilla proof {}", i)).decode());
  }
  return post;
}

u32 VanillaPost::partitions() const {
  const std::size_t size = proof.sectors_per_partition();
  return static_cast<u32>((sectors.size() + size - 1) / size);
}

std::vector<u64> VanillaPost::challenges(std::size_t sector) const {
  const u64 position = u64{first_partition} * proof.sectors_per_partition() + sector;
  return post_challenges(proof, randomness, sectors[sector].number, position);
}

std::vector<Fr> VanillaPost::public_inputs(u32 partition) const {
  std::vector<Fr> inputs;
  const bool unrolled = proof.kind == PostKind::winning;
  for (const std::size_t place : places_of(*this, partition)) {
    const VanillaPostSector& sector = sectors[place];
    if (!unrolled) inputs.push_back(sector.comm_r);
    for (const u64 challenge : challenges(place)) {
      if (unrolled) inputs.push_back(sector.comm_r);
      inputs.push_back(Fr::from_u64(challenge));
    }
  }
  return inputs;
}

PostInput VanillaPost::input(u32 partition) const {
  PostInput result;
  for (const std::size_t place : places_of(*this, partition)) {
    const VanillaPostSector& sector = sectors[place];
    const std::span<const MerkleOpening> openings(sector.openings);
    if (proof.kind == PostKind::window) {
      result.sectors.push_back(circuit_sector(sector, openings));
    } else {
      for (std::size_t i = 0; i < openings.size(); ++i)
        result.sectors.push_back(circuit_sector(sector, openings.subspan(i, 1)));
    }
  }
  return result;
}

}  // namespace cuzk::filecoin
