#include "filecoin/circuit_name.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/vectors.h"

namespace cuzk::filecoin {
namespace {

TEST(CircuitName, IdentifiersAndFilesAreFilecoins) {
  const auto shapes = test::vector_json("r1cs/shapes.json").at("shapes");
  for (const auto& shape : shapes) {
    const CircuitName circuit = CircuitName::from_id(shape.at("shape").get<std::string>());
    EXPECT_EQ(circuit.identifier(), shape.at("identifier"));
    EXPECT_EQ(circuit.params_file(), shape.at("params_name"));
  }
  EXPECT_EQ(all_circuits().size(), shapes.size());
}

TEST(CircuitName, CountsAreThoseOfTheShapes) {
  for (const auto& shape : test::vector_json("r1cs/shapes.json").at("shapes")) {
    const CircuitName circuit = CircuitName::from_id(shape.at("shape").get<std::string>());
    const auto& details = shape.at("details");
    if (circuit.kind == CircuitKind::porep) {
      EXPECT_EQ(circuit.shape->porep.partitions, details.at("partitions"));
      EXPECT_EQ(circuit.shape->porep.per_partition, details.at("challenges_per_partition"));
      EXPECT_EQ(circuit.shape->layers, details.at("layers"));
    } else if (circuit.kind == CircuitKind::snap) {
      EXPECT_EQ(circuit.shape->update.partitions, details.at("partitions"));
      EXPECT_EQ(circuit.shape->update.challenges, details.at("challenges_per_partition"));
      EXPECT_EQ(circuit.shape->update.apex_leaves, details.at("apex_leafs"));
    } else if (circuit.kind == CircuitKind::wpost) {
      EXPECT_EQ(circuit.shape->window_sectors, details.at("sectors_in_circuit"));
    }
  }
}

TEST(CircuitName, IdsGoBothWays) {
  for (const CircuitName& circuit : all_circuits()) {
    const CircuitName again = CircuitName::from_id(circuit.id());
    EXPECT_EQ(again.kind, circuit.kind);
    EXPECT_EQ(again.shape, circuit.shape);
  }
  EXPECT_EQ(CircuitName::from_id("window-32g").id(), "wpost-32g");
  EXPECT_EQ(CircuitName::from_id("porep-32g").vk_file().substr(0, 4), "v28-");
}

TEST(CircuitName, RefusesUnknownIds) {
  for (const char* id : {"", "porep", "porep-", "porep-3k", "pore-2k", "snap-1g", "porep-2k "})
    EXPECT_THROW(CircuitName::from_id(id), Error) << id;
}

TEST(SectorShape, TreesHoldTheSectorsNodes) {
  for (const SectorShape& shape : sector_shapes()) {
    u64 leaves = shape.base_trees();
    for (u32 level = 0; level < shape.base_levels(); ++level) leaves *= shape.arities.base;
    EXPECT_EQ(leaves, shape.nodes()) << shape.name;
    EXPECT_EQ(u64{1} << shape.log2_nodes(), shape.nodes());
    EXPECT_EQ(&sector_shape(shape.bytes), &shape);
  }
  EXPECT_THROW(sector_shape(3000), Error);
}

}  // namespace
}  // namespace cuzk::filecoin
