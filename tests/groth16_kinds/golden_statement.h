/// Statements of the vectors, and whether a prover makes the proofs that Filecoin's own prover makes of them.
#pragma once

#include <gtest/gtest.h>

#include "engine/statements/kind_decoder.h"
#include "groth16/prover.h"
#include "groth16/setup.h"
#include "groth16/toy_key.h"

namespace cuzk::test {

using engine::Kind;
using engine::ProofInput;

inline std::string text_of(const std::vector<u8>& bytes) { return {bytes.begin(), bytes.end()}; }

inline std::string text_of_hex(const nlohmann::json& hex) { return text_of(from_hex(hex.get<std::string>())); }

inline ProofInput post_input(Kind kind, const std::string& folder) {
  const auto item = vector_json(folder + "/case.json");
  ProofInput input;
  input.kind = kind;
  input.sector_size = item.at("sector_size");
  input.registered_proof = item.at("registered_proof_id");
  input.randomness = text_of_hex(item.at("randomness"));
  for (const auto& sector : item.at("sectors"))
    input.vanilla_proofs.push_back(vector_text(folder + "/" + sector.at("vanilla_proof").get<std::string>()));
  return input;
}

/// As some callers send it: without the sector's size.
inline ProofInput update_input(const std::string& folder) {
  const auto item = vector_json(folder + "/case.json");
  ProofInput input;
  input.kind = Kind::snap;
  input.registered_proof = item.at("registered_proof_id");
  input.comm_r_old = text_of_hex(item.at("comm_r_old"));
  input.comm_r_new = text_of_hex(item.at("comm_r_new"));
  input.comm_d_new = text_of_hex(item.at("comm_d_new"));
  input.vanilla_proofs.push_back(vector_text(folder + "/partition-0.bin"));
  return input;
}

/// Makes the key of the golden waste, proves with the golden r and s and compares both with the vectors.
inline void check_golden(groth16::Prover& prover, const std::string& setup_name, const std::string& proofs_name,
                         const ProofInput& input) {
  engine::CircuitCatalog circuits;
  const auto statement = engine::KindDecoder(circuits).decode(input);
  const auto circuit = statement->circuit();
  const ScratchFolder folder;
  const auto& golden_key = vector_json("setup/" + setup_name + ".json");
  const auto digests = groth16::setup(*circuit, waste_of(golden_key), {folder / "key.params", folder / "key.vk"},
                                      ThreadPool::shared(), {});
  EXPECT_EQ(to_hex(digests.params.sha256), golden_key["params"]["sha256"]);
  EXPECT_EQ(to_hex(digests.vk.sha256), golden_key["vk"]["sha256"]);

  const auto key = prover.load_key(folder / "key.params", groth16::KeyCheck::points, {});
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
