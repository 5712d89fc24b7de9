/// Inputs of the vectors, as a caller sends them.
#pragma once

#include "base/hex.h"
#include "engine/request.h"
#include "support/vectors.h"

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

}  // namespace cuzk::test
