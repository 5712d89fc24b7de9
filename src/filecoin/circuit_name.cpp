#include "filecoin/circuit_name.h"

#include <array>

#include "base/error.h"
#include "base/hex.h"
#include "hash/sha256.h"

namespace cuzk::filecoin {
namespace {

constexpr std::array kKinds{CircuitKind::porep, CircuitKind::snap, CircuitKind::wpost, CircuitKind::winning};

CircuitKind kind_by_name(std::string_view text, std::string_view id) {
  if (text == "window") return CircuitKind::wpost;
  for (const CircuitKind kind : kKinds)
    if (name(kind) == text) return kind;
  throw invalid_input("there is no circuit '{}': '{}' is none of porep, snap, wpost, winning", id, text);
}

bool exists(CircuitKind kind, const SectorShape& shape) {
  return kind != CircuitKind::snap || shape.update.partitions != 0;
}

std::string tree_name(const SectorShape& shape) { return "merkletree-poseidon_hasher-" + shape.arities.text(); }

std::string porep_identifier(const SectorShape& shape) {
  return fmt::format(
      "layered_drgporep::PublicParams{{ graph: stacked_graph::StackedGraph{{expansion_degree: {} base_graph: "
      "drgraph::BucketGraph{{size: {}; degree: {}; hasher: poseidon_hasher}} }}, challenges: LayerChallenges {{ "
      "layers: "
      "{}, max_count: {} }}, tree: {} }}",
      kExpanderParents, shape.nodes(), kDrgParents, shape.layers, shape.porep.per_partition, tree_name(shape));
}

std::string post_identifier(const SectorShape& shape, u32 challenges, u32 sectors) {
  return fmt::format("FallbackPoSt::PublicParams{{sector_size: {}, challenge_count: {}, sector_count: {}}}",
                     shape.bytes, challenges, sectors);
}

std::string prefix(CircuitKind kind, const SectorShape& shape) {
  switch (kind) {
    case CircuitKind::porep: return "stacked-proof-of-replication-" + tree_name(shape) + "-sha256_hasher";
    case CircuitKind::snap: return "empty-sector-update-" + tree_name(shape);
    case CircuitKind::wpost:
    case CircuitKind::winning: break;
  }
  return "proof-of-spacetime-fallback-" + tree_name(shape);
}

}  // namespace

std::string_view name(CircuitKind kind) {
  switch (kind) {
    case CircuitKind::porep: return "porep";
    case CircuitKind::snap: return "snap";
    case CircuitKind::wpost: return "wpost";
    case CircuitKind::winning: break;
  }
  return "winning";
}

CircuitName CircuitName::from_id(std::string_view id) {
  const std::size_t dash = id.find('-');
  if (dash == id.npos) throw invalid_input("there is no circuit '{}': ids are <kind>-<size>, such as porep-32g", id);
  const CircuitName circuit{kind_by_name(id.substr(0, dash), id), &sector_shape(id.substr(dash + 1))};
  if (!exists(circuit.kind, *circuit.shape)) throw invalid_input("there is no circuit '{}'", id);
  return circuit;
}

std::string CircuitName::id() const { return fmt::format("{}-{}", name(kind), shape->name); }

std::string CircuitName::identifier() const {
  switch (kind) {
    case CircuitKind::porep: return porep_identifier(*shape);
    case CircuitKind::snap:
      return fmt::format("empty_sector_update::PublicParams{{ sector_nodes: {} }}", shape->nodes());
    case CircuitKind::wpost: return post_identifier(*shape, kWindowChallenges, shape->window_sectors);
    case CircuitKind::winning: break;
  }
  return post_identifier(*shape, 1, kWinningChallenges);
}

std::string CircuitName::file_stem() const {
  const std::string text = identifier();
  const Digest digest = sha256(std::span(reinterpret_cast<const u8*>(text.data()), text.size()));
  return fmt::format("v28-{}-{}", prefix(kind, *shape), to_hex(digest));
}

std::vector<CircuitName> all_circuits() {
  std::vector<CircuitName> circuits;
  for (const CircuitKind kind : kKinds)
    for (const SectorShape& shape : sector_shapes())
      if (exists(kind, shape)) circuits.push_back({kind, &shape});
  return circuits;
}

}  // namespace cuzk::filecoin
