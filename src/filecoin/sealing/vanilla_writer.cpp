#include "filecoin/sealing/vanilla_writer.h"

namespace cuzk::filecoin {
namespace {

using gadgets::MerkleStep;

/// Integers little-endian, lengths as u64, tags of variants as u32.
class BincodeWriter {
 public:
  void integer(u64 value, std::size_t bytes = 8) {
    for (std::size_t i = 0; i < bytes; ++i) text_ += static_cast<char>(static_cast<u8>(value >> (8 * i)));
  }

  void element(const Fr& value) {
    for (const u8 byte : value.to_bytes()) text_ += static_cast<char>(byte);
  }

  void elements(std::span<const Fr> values) {
    integer(values.size());
    for (const Fr& value : values) element(value);
  }

  /// Variants differ in the order of fields: one tree has root and leaf first, the others have them behind the paths.
  void opening(const MerkleOpening& opening, ProofTrees trees) {
    const auto tag = static_cast<u32>(trees);
    integer(tag, 4);
    const std::span<const MerkleStep> steps(opening.path);
    const std::size_t base = steps.size() - tag;  // sub and top trees have one level each
    if (trees == ProofTrees::single) root_and_leaf(opening);
    path(steps.first(base));
    for (std::size_t level = base; level < steps.size(); ++level) path(steps.subspan(level, 1));
    if (trees != ProofTrees::single) root_and_leaf(opening);
  }

  std::string take() { return std::move(text_); }

 private:
  void root_and_leaf(const MerkleOpening& opening) {
    element(opening.root);
    element(opening.leaf);
  }

  void path(std::span<const MerkleStep> steps) {
    integer(steps.size());
    for (const MerkleStep& step : steps) {
      elements(step.siblings);
      integer(step.index);
    }
  }

  std::string text_;
};

std::string encode_sector(const VanillaPostSector& sector, ProofTrees trees) {
  BincodeWriter writer;
  writer.integer(sector.number);
  writer.element(sector.comm_r);
  writer.integer(1);  // sectors
  writer.integer(sector.openings.size());
  for (const MerkleOpening& opening : sector.openings) writer.opening(opening, trees);
  writer.element(sector.comm_c);
  writer.element(sector.comm_r_last);
  return writer.take();
}

std::string encode_partition(const VanillaUpdatePartition& partition, ProofTrees trees) {
  BincodeWriter writer;
  writer.element(partition.comm_c);
  writer.elements(partition.apex_leaves);
  writer.integer(partition.challenges.size());
  for (const VanillaUpdateChallenge& challenge : partition.challenges) {
    writer.opening(challenge.r_old, trees);
    writer.opening(challenge.d_new, ProofTrees::single);
    writer.opening(challenge.r_new, trees);
  }
  return writer.take();
}

}  // namespace

std::vector<std::string> encode_post(const VanillaPost& post) {
  std::vector<std::string> proofs;
  for (const VanillaPostSector& sector : post.sectors)
    proofs.push_back(encode_sector(sector, trees_of(*post.proof.shape)));
  return proofs;
}

std::vector<std::string> encode_update(const VanillaUpdate& update) {
  std::vector<std::string> proofs;
  for (const VanillaUpdatePartition& partition : update.partitions)
    proofs.push_back(encode_partition(partition, trees_of(*update.shape)));
  return proofs;
}

}  // namespace cuzk::filecoin
