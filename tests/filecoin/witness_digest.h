/// Digests of witnesses as the vectors have them.
#pragma once

#include <string>

#include "base/hex.h"
#include "hash/sha256.h"
#include "r1cs/circuit.h"
#include "r1cs/witness.h"

namespace cuzk::filecoin {

inline std::string inputs_sha256(const r1cs::Witness& witness) {
  Sha256 hash;
  for (const Fr& value : witness.inputs()) hash.update(value.to_bytes());
  return to_hex(hash.finish());
}

inline std::string aux_sha256(const r1cs::Witness& witness) {
  Sha256 hash;
  const BitSpan bits = witness.bits();
  for (const auto& segment : witness.segments())
    for (u32 i = 0; i < segment.count; ++i) {
      if (segment.kind == r1cs::Segment::Kind::elements)
        hash.update(witness.elements()[segment.start + i].to_bytes());
      else
        hash.update((bits[segment.start + i] ? Fr::one() : Fr::zero()).to_bytes());
    }
  return to_hex(hash.finish());
}

}  // namespace cuzk::filecoin
