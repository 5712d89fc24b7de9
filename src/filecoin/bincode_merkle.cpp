#include "filecoin/bincode_merkle.h"

#include <algorithm>
#include <iterator>

#include "base/error.h"
#include "base/hex.h"

namespace cuzk::filecoin {
namespace {

using gadgets::MerklePath;
using gadgets::MerkleStep;

constexpr u32 kVariants = 3;
constexpr std::size_t kStepBytes = 16;  // of a level without siblings

MerkleStep read_step(BincodeReader& reader, std::string_view field) {
  MerkleStep step;
  const std::size_t siblings = reader.read_length(field, kNodeBytes);
  step.siblings.reserve(siblings);
  for (std::size_t i = 0; i < siblings; ++i) step.siblings.push_back(read_element(reader, field));
  step.index = static_cast<u32>(std::min<u64>(reader.read_u64(field), ~u32{0}));
  return step;
}

void append_path(BincodeReader& reader, std::string_view field, MerklePath& path) {
  const std::size_t levels = reader.read_length(field, kStepBytes);
  path.reserve(path.size() + levels);
  for (std::size_t i = 0; i < levels; ++i) path.push_back(read_step(reader, field));
}

void check_levels(const MerklePath& path, std::span<const u32> arities, const BincodeReader& reader,
                  std::string_view field) {
  const auto fail = [&](const std::string& fault) { throw invalid_input("{}: {}: {}", reader.source(), field, fault); };
  if (path.size() != arities.size()) fail(fmt::format("a path of {} levels, expected {}", path.size(), arities.size()));
  for (std::size_t level = 0; level < path.size(); ++level) {
    const MerkleStep& step = path[level];
    if (step.siblings.size() + 1 != arities[level])
      fail(fmt::format("level {} has {} siblings, expected {}", level, step.siblings.size(), arities[level] - 1));
    if (step.index >= arities[level])
      fail(fmt::format("level {} has the index {}, expected below {}", level, step.index, arities[level]));
  }
}

}  // namespace

ProofTrees trees_of(const SectorShape& shape) {
  if (shape.arities.top != 0) return ProofTrees::top;
  return shape.arities.sub != 0 ? ProofTrees::sub : ProofTrees::single;
}

Fr element_of(const Node& node, std::string_view source, std::string_view field) {
  if (const auto value = Fr::from_bytes(node)) return *value;
  throw invalid_input("{}: {} is {}, which is not below the field's modulus", source, field, to_hex(node));
}

Fr read_element(BincodeReader& reader, std::string_view field) {
  return element_of(reader.read_node(field), reader.source(), field);
}

MerkleOpening read_opening(BincodeReader& reader, std::string_view field, ProofTrees trees,
                           std::span<const u32> arities) {
  const u32 found = reader.read_tag(field, kVariants);
  MerkleOpening opening;
  opening.path.reserve(arities.size());
  // The order of fields differs: Single is (root, leaf, path), the others have their paths first.
  if (found == static_cast<u32>(ProofTrees::single)) {
    opening.root = read_element(reader, field);
    opening.leaf = read_element(reader, field);
    append_path(reader, field, opening.path);
  } else {
    for (u32 i = 0; i <= found; ++i) append_path(reader, field, opening.path);
    opening.root = read_element(reader, field);
    opening.leaf = read_element(reader, field);
  }
  if (found != static_cast<u32>(trees))
    throw invalid_input("{}: {}: a proof through {} trees, expected {}", reader.source(), field, found + 1,
                        static_cast<u32>(trees) + 1);
  check_levels(opening.path, arities, reader, field);
  return opening;
}

}  // namespace cuzk::filecoin
