#include "filecoin/graph.h"

#include <gtest/gtest.h>

#include "filecoin/sector_vectors.h"

namespace cuzk::filecoin {
namespace {

ApiVersion version_of(const nlohmann::json& graph) {
  const auto text = graph.at("api_version").get<std::string>();
  return text == "1.0.0" ? ApiVersion::v1_0 : text == "1.1.0" ? ApiVersion::v1_1 : ApiVersion::v1_2;
}

std::vector<u64> all_parents(const StackedGraph& graph, u64 node) {
  std::vector<u64> parents;
  for (const u64 parent : graph.drg_parents(node)) parents.push_back(parent);
  for (const u64 parent : graph.expander_parents(node)) parents.push_back(parent);
  return parents;
}

TEST(StackedGraph, HasTheParentsOfAllGraphs) {
  const auto graphs = test::vector_json("sectors/graph_parents.json");
  for (const auto& item : graphs.at("graphs")) {
    const StackedGraph graph(sector_shape(item.at("sector_size").get<u64>()), node_of_hex(item.at("porep_id")),
                             version_of(item));
    for (const auto& row : item.at("rows"))
      EXPECT_EQ(all_parents(graph, row.at("node").get<u64>()), row.at("parents").get<std::vector<u64>>())
          << item.at("sector_size") << ' ' << item.at("porep_id");
  }
}

std::string digest_of_all_parents(const StackedGraph& graph, u64 nodes) {
  Sha256 hash;
  for (u64 node = 0; node < nodes; ++node)
    for (const u64 parent : all_parents(graph, node)) {
      std::array<u8, 4> bytes;
      for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<u8>(parent >> (8 * i));
      hash.update(bytes);
    }
  return to_hex(hash.finish());
}

/// Of sectors of up to so many nodes, after `change`.
template <class Change>
void check_all_parents(u64 most, Change&& change) {
  const auto& graphs = test::vector_json("sectors/graph_parents.json");
  for (const auto& item : graphs.at("graphs")) {
    const SectorShape& shape = sector_shape(item.at("sector_size").get<u64>());
    if (shape.nodes() > most) continue;
    const StackedGraph graph = change(StackedGraph(shape, node_of_hex(item.at("porep_id")), version_of(item)));
    EXPECT_EQ(digest_of_all_parents(graph, shape.nodes()), item.at("all_parents_sha256")) << shape.name;
  }
}

TEST(StackedGraph, HasAllParentsOfSmallSectors) {
  check_all_parents(1024, [](StackedGraph graph) { return graph; });
}

TEST(StackedGraph, HasTheSameParentsWithATable) {
  check_all_parents(1 << 18, [](const StackedGraph& graph) { return graph.tabulated(); });
}

}  // namespace
}  // namespace cuzk::filecoin
