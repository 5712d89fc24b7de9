/// A key of the toy circuit and proofs with it, made at the start: no file of the vectors need be there.
#pragma once

#include <memory>
#include <vector>

#include "groth16/proof.h"
#include "groth16/verifying_key.h"

namespace cuzk::fuzz {

/// What one proof proves: its only public input.
struct ToyProof {
  Fr input;
  groth16::Proof proof;
};

struct ToyWorks {
  groth16::VerifyingKey key;
  std::vector<ToyProof> proofs;  ///< that verify
};

/// The same at every start.
const ToyWorks& toy_works();

}  // namespace cuzk::fuzz
