/// Names a Poseidon hash in two bytes.
#pragma once

#include "base/types.h"

namespace cuzk {

/// The first element of the state.
enum class PoseidonTag : u8 {
  merkle,      ///< trees, columns, commitments
  randomness,  ///< phi, rho and challenges of sector updates
};

struct PoseidonForm {
  PoseidonTag tag = PoseidonTag::merkle;
  u8 arity = 0;  ///< at most kPoseidonMaxArity

  bool operator==(const PoseidonForm&) const = default;
};

}  // namespace cuzk
