#include "filecoin/network_keys.h"

#include <gtest/gtest.h>

#include "support/vectors.h"

namespace cuzk::filecoin {
namespace {

/// Bytes of a .params file by the shape of its circuit: the verifying key, then five vectors with their counts.
u64 bytes_of(const nlohmann::json& shape) {
  const u64 inputs = shape.at("inputs"), aux = shape.at("aux"), domain = u64{1} << shape.at("log2_domain").get<u64>();
  const u64 a = inputs + shape.at("a_aux_density").get<u64>();
  const u64 b = shape.at("b_input_density").get<u64>() + shape.at("b_aux_density").get<u64>();
  constexpr u64 kG1 = 96, kG2 = 192, kCount = 4;
  const u64 verifying_key = 3 * kG1 + 3 * kG2 + kCount + inputs * kG1;
  return verifying_key + 5 * kCount + (domain - 1 + aux + a) * kG1 + b * (kG1 + kG2);
}

TEST(NetworkKeys, SizesFollowFromTheShapesOfTheCircuits) {
  std::size_t known = 0;
  for (const auto& shape : test::vector_json("r1cs/shapes.json").at("shapes")) {
    const auto circuit = CircuitName::from_id(shape.at("shape").get<std::string>());
    const auto digest = network_params_digest(circuit);
    if (digest.empty()) continue;
    EXPECT_EQ(network_params_bytes(digest), bytes_of(shape)) << circuit.id();
    ++known;
  }
  EXPECT_EQ(known, 8u);
  EXPECT_EQ(network_params_bytes("00"), 0u);
}

}  // namespace
}  // namespace cuzk::filecoin
