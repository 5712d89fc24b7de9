/// Verification of proofs, one by one or many at once.
///
/// A proof (A, B, C) of public inputs x holds when e(A, B) = e(alpha, beta) e(X, gamma) e(C, delta) with
/// X = ic_0 + sum x_i ic_(i+1). Many proofs are checked together by a random linear combination of their equations,
/// one Miller loop for each proof, three more, and one final exponentiation. Threads of the process's pool share a batch.
/// Source: Groth 2016, "On the Size of Pairing-based Non-interactive Arguments"; the combination: Bellare, Garay,
/// Rabin, "Fast Batch Verification for Modular Exponentiation and Digital Signatures", 1998.
#pragma once

#include <span>
#include <vector>

#include "curve/pairing.h"
#include "field/fr.h"
#include "groth16/proof.h"
#include "groth16/verifying_key.h"

namespace cuzk::groth16 {

/// What one proof is said to prove: its public inputs, ONE not among them.
struct Claim {
  Proof proof;
  std::vector<Fr> public_inputs;
};

/// A verifying key prepared for many verifications. Const, so that any number of threads may verify.
class Verifier {
 public:
  /// Takes one pairing and three preparations: about 1 ms.
  explicit Verifier(const VerifyingKey& key);

  /// Throws Error{invalid_input} when the number of public inputs is not the key's.
  bool verify(const Proof& proof, std::span<const Fr> public_inputs) const;

  /// Whether all claims hold; a wrong one passes with a probability below 2^-127. Throws Error{invalid_input} for no
  /// claim at all, and naming the first claim whose number of public inputs is not the key's.
  bool verify_batch(std::span<const Claim> claims) const;

 private:
  std::vector<G1Affine> ic_;
  G1Affine alpha_;
  Gt alpha_beta_;
  G2Prepared minus_beta_, minus_gamma_, minus_delta_;
};

}  // namespace cuzk::groth16
