/// Whether a prover makes the proofs that Filecoin's own prover makes of the statements of the vectors.
#pragma once

#include <gtest/gtest.h>

#include "engine/statements/kind_decoder.h"
#include "groth16/kept_keys.h"
#include "groth16/prover.h"
#include "groth16/setup.h"
#include "groth16/toy_key.h"
#include "groth16_kinds/golden_input.h"

namespace cuzk::test {

/// Makes the key of the golden waste, proves with the golden r and s and compares both with the vectors.
inline void check_golden(groth16::Prover& prover, const std::string& setup_name, const std::string& proofs_name,
                         const ProofInput& input) {
  engine::CircuitCatalog circuits;
  const auto statement = engine::KindDecoder(circuits).decode(input);
  const auto circuit = statement->circuit();
  const ScratchFolder folder;
  const auto& golden_key = vector_json("setup/" + setup_name + ".json");
  const groth16::KeyFiles files{folder / "key.params", folder / "key.vk"};
  const auto digests = groth16::setup(*circuit, waste_of(golden_key), files, ThreadPool::shared(), {});
  EXPECT_EQ(to_hex(digests.params.sha256), golden_key["params"]["sha256"]);
  EXPECT_EQ(to_hex(digests.vk.sha256), golden_key["vk"]["sha256"]);
  if (!testing::Test::HasFailure()) keep_key(files, golden_key);

  const auto key = prover.load_key(files.params, groth16::KeyCheck::points, {});
  const auto& partitions = vector_json("proofs/" + proofs_name + ".json")["partitions"];
  ASSERT_EQ(statement->partitions(), partitions.size());
  for (std::size_t k = 0; k < partitions.size(); ++k) {
    const auto& golden = partitions[k]["proofs"][0];
    const Fr r = fr_of(golden["r"]), s = fr_of(golden["s"]);
    const auto witness = statement->witness(k);
    const auto made = groth16::prove_verified(prover, {*key, *circuit, witness}, {},
                                              [&] { return groth16::Blinding::insecure_fixed(r, s); });
    EXPECT_EQ(to_hex(made.proof.to_bytes()), golden["proof"]) << "partition " << k;
  }
}

}  // namespace cuzk::test
