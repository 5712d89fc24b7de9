// The circuits are the network's, for every shape that has a digest in the vectors and is small enough to stream in
// two seconds; of the others the counts. Full sizes: tests/filecoin_full.
#include <gtest/gtest.h>

#include "base/hex.h"
#include "filecoin/circuit_digests.h"
#include "filecoin/circuits/porep.h"
#include "filecoin/circuits/post.h"
#include "filecoin/circuits/update.h"
#include "support/vectors.h"

namespace cuzk::filecoin {
namespace {

nlohmann::json golden_shape(const std::string& name) {
  const auto shapes = test::vector_json("r1cs/shapes.json");
  for (const auto& shape : shapes["shapes"])
    if (shape["shape"] == name) return shape;
  throw std::runtime_error("no shape " + name);
}

enum class Compare { counts, digest };

void check(const std::string& name, const r1cs::Circuit& circuit, Compare compare) {
  const auto golden = golden_shape(name);
  EXPECT_EQ(circuit.inputs(), golden["inputs"]) << name;
  EXPECT_EQ(circuit.aux(), golden["aux"]) << name;
  EXPECT_EQ(circuit.constraints(), golden["constraints"]) << name;
  EXPECT_EQ(circuit.nonzeros(), (std::array<u64, 3>{golden["nnz"][0], golden["nnz"][1], golden["nnz"][2]})) << name;
  const auto& densities = circuit.densities();
  EXPECT_EQ(densities.a_aux.count(), golden["a_aux_density"]) << name;
  EXPECT_EQ(densities.b_inputs.count(), golden["b_input_density"]) << name;
  EXPECT_EQ(densities.b_aux.count(), golden["b_aux_density"]) << name;
  if (compare == Compare::digest) {
    EXPECT_EQ(to_hex(circuit.digest()), golden["stream_sha256"]) << name;
  }
}

TEST(PorepCircuit, DigestsAreTheNetworks) {
  for (const std::string size : {"2k", "4k", "32k", "8m", "16m", "1g"})
    check("porep-" + size, compile_porep(sector_shape(size)), Compare::digest);
}

TEST(PorepCircuit, CountsAreTheNetworks) {
  for (const std::string size : {"16k", "512m", "32g", "64g"})
    check("porep-" + size, compile_porep(sector_shape(size)), Compare::counts);
}

TEST(PorepCircuit, CheckpointsAreTheNetworks) {
  const auto golden = test::vector_json("r1cs/checkpoints/porep-2k.json.xz");
  const auto rows = r1cs::checkpoints(compile_porep(sector_shape("2k")), 4096);
  ASSERT_EQ(rows.size(), golden["rows"].size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& row = golden["rows"][i];
    ASSERT_EQ(rows[i].constraints, row[0]);
    ASSERT_EQ(rows[i].inputs, row[1]) << rows[i].path << ", expected " << row[4];
    ASSERT_EQ(rows[i].aux, row[2]) << rows[i].path << ", expected " << row[4];
    ASSERT_EQ(to_hex(rows[i].digest), row[3]) << rows[i].path << ", expected " << row[4];
  }
}

TEST(PostCircuit, WindowIsTheNetworks) {
  for (const std::string size : {"2k", "4k", "32k", "8m", "16m", "1g"}) {
    const SectorShape& shape = sector_shape(size);
    check("window-" + size, compile_post(shape, window_counts(shape)), Compare::digest);
  }
}

TEST(PostCircuit, WindowCountsAreTheNetworks) {
  for (const std::string size : {"16k", "512m", "32g", "64g"}) {
    const SectorShape& shape = sector_shape(size);
    check("window-" + size, compile_post(shape, window_counts(shape)), Compare::counts);
  }
}

TEST(PostCircuit, WinningCountsAreTheNetworks) {
  for (const std::string size : {"16k", "512m", "64g"})
    check("winning-" + size, compile_post(sector_shape(size), winning_counts()), Compare::counts);
}

TEST(PostCircuit, WinningIsTheNetworks) {
  for (const std::string size : {"2k", "4k", "32k", "8m", "16m", "1g", "32g"})
    check("winning-" + size, compile_post(sector_shape(size), winning_counts()), Compare::digest);
}

TEST(UpdateCircuit, DigestsAreTheNetworks) {
  for (const std::string size : {"2k", "4k", "32k", "8m", "16m"})
    check("snap-" + size, compile_update(sector_shape(size)), Compare::digest);
}

TEST(UpdateCircuit, CountsAreTheNetworks) {
  for (const std::string size : {"16k", "512m", "32g", "64g"})
    check("snap-" + size, compile_update(sector_shape(size)), Compare::counts);
}

TEST(KnownCircuitDigests, AreTheNetworks) {
  const auto shapes = test::vector_json("r1cs/shapes.json");
  std::size_t published = 0;
  for (const auto& shape : shapes["shapes"]) {
    std::string id = shape["shape"];
    if (id.starts_with("window-")) id.replace(0, 6, "wpost");
    const auto known = known_circuit_digest(id);
    ASSERT_TRUE(known.has_value()) << id;
    if (!shape.contains("stream_sha256") || shape["stream_sha256"].is_null()) continue;
    EXPECT_EQ(to_hex(*known), shape["stream_sha256"]) << id;
    ++published;
  }
  EXPECT_EQ(published, 27u);
  EXPECT_EQ(known_circuit_digest("toy"), std::nullopt);
}

}  // namespace
}  // namespace cuzk::filecoin
