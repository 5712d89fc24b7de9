/// Digests of witnesses as the vectors have them.
#pragma once

#include <string>

#include "base/hex.h"
#include "hash/sha256.h"
#include "r1cs/witness_digest.h"

namespace cuzk::filecoin {

inline std::string inputs_sha256(const r1cs::Witness& witness) {
  Sha256 hash;
  for (const Fr& value : witness.inputs()) hash.update(value.to_bytes());
  return to_hex(hash.finish());
}

inline std::string aux_sha256(const r1cs::Witness& witness) {
  Sha256 hash;
  r1cs::for_each_aux(witness, [&](const Fr& value) { hash.update(value.to_bytes()); });
  return to_hex(hash.finish());
}

}  // namespace cuzk::filecoin
