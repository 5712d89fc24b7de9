#include "filecoin/sealing/fr32.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/hex.h"
#include "support/vectors.h"

namespace cuzk::filecoin {
namespace {

TEST(Fr32, PadsAndUnpadsAsTheVectors) {
  for (const auto& v : nlohmann::json(test::vector_json("primitives/sector.json")["fr32"])) {
    EXPECT_EQ(to_hex(fr32_pad(from_hex(v["unpadded"].get<std::string>()))), v["padded"]);
    EXPECT_EQ(to_hex(fr32_unpad(from_hex(v["padded"].get<std::string>()))), v["unpadded_back_full"]);
  }
}

TEST(Fr32, RefusesPartsOfNodes) { EXPECT_THROW(fr32_unpad(std::vector<u8>(33)), Error); }

}  // namespace
}  // namespace cuzk::filecoin
