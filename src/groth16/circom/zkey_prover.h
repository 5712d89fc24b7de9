/// Proofs with a key of snarkjs (zkey.h), by the processor.
///
/// The sums are those of every Groth16 proof; what differs is where h is taken: values of a b - c on the odd points of the
/// doubled domain, whose root is snarkjs' (5 to the power (r - 1) / 2^32 where Filecoin's is 7).
#pragma once

#include <span>

#include "groth16/blinding.h"
#include "groth16/circom/zkey.h"
#include "groth16/proof.h"
#include "poly/domain.h"

namespace cuzk::groth16 {

/// Evaluation domain of 2^k points, with the odd points of the doubled domain as its coset. k in [0, 28].
Domain snarkjs_domain(unsigned k);

/// What the points of h are multiplied by. As many wires as the key has. Memory: three buffers of the domain's size.
Buffer<Fr> odd_values(const Zkey& key, std::span<const Fr> wires, ThreadPool& pool);

/// One proof, not verified. Throws Error: invalid_input when the key has another number of wires; cancelled.
Proof prove_zkey(const Zkey& key, std::span<const Fr> wires, const Blinding& blinding, ThreadPool& pool,
                 const Control& control);

/// A proof that the verifier accepts for the wires' public inputs. Throws as prove_zkey, and Error{invalid_input} when no proof
/// verifies: the wires do not satisfy the circuit, or the key is another circuit's.
Proof prove_zkey_verified(const Zkey& key, std::span<const Fr> wires, ThreadPool& pool, const Control& control,
                          const BlindingSource& blinding = Blinding::fresh);

}  // namespace cuzk::groth16
