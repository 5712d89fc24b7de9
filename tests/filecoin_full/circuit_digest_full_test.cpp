// Circuits of full size are the network's, constraint for constraint: 91 GB of stream, in constant memory.
#include <gtest/gtest.h>

#include "base/hex.h"
#include "filecoin/circuits/porep.h"
#include "filecoin/circuits/post.h"
#include "filecoin/circuits/update.h"
#include "support/vectors.h"

namespace cuzk::filecoin {
namespace {

std::string golden_digest(const std::string& name) {
  for (const auto& shape : test::vector_json("r1cs/shapes.json")["shapes"]) {
    if (shape["shape"] == name) return shape["stream_sha256"];
  }
  throw std::runtime_error("no shape " + name);
}

TEST(FullCircuitDigest, Porep32GiBIsTheNetworks) {
  EXPECT_EQ(to_hex(compile_porep(sector_shape("32g")).digest()), golden_digest("porep-32g"));
}

TEST(FullCircuitDigest, Snap32GiBIsTheNetworks) {
  EXPECT_EQ(to_hex(compile_update(sector_shape("32g")).digest()), golden_digest("snap-32g"));
}

TEST(FullCircuitDigest, Window32GiBIsTheNetworks) {
  const SectorShape& shape = sector_shape("32g");
  EXPECT_EQ(to_hex(compile_post(shape, window_counts(shape)).digest()), golden_digest("window-32g"));
}

}  // namespace
}  // namespace cuzk::filecoin
