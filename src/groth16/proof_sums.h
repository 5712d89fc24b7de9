/// The multi-scalar products of a proof, and the proof that they make.
#pragma once

#include <span>

#include "base/thread_pool.h"
#include "curve/g1.h"
#include "curve/g2.h"
#include "field/fr.h"
#include "groth16/blinding.h"
#include "groth16/control.h"
#include "groth16/key_points.h"
#include "groth16/proof.h"
#include "r1cs/circuit.h"
#include "r1cs/witness.h"

namespace cuzk::groth16 {

// The points come in blocks (key_points.h); beside one of them a sum holds at most two million points whose variables are
// field elements (200 MB, as much in G2), and the scratch of a product.

/// Values of the variables times the key's points, inputs and auxiliary variables apart.
struct ProofSums {
  G1 h, l;
  G1 a_inputs, a_aux;
  G1 b_g1_inputs, b_g1_aux;
  G2 b_g2_inputs, b_g2_aux;
};

/// The sum over h: the largest of them, all of whose scalars are full. `h` has at least as many elements as the key.
G1 sum_quotient(const KeyPoints& key, std::span<const Fr> h, ThreadPool& pool, const Control& control);

/// The other seven; `h` of the result is what is given. The key is of the circuit's shape, the witness of the
/// circuit. Spans: "msm_l", "msm_a", "msm_b_g1", "msm_b_g2".
ProofSums sum_variables(const KeyPoints& key, const r1cs::Circuit& circuit, const r1cs::Witness& witness, const G1& h,
                        ThreadPool& pool, const Control& control);

/// A = alpha + r delta + a; B = beta + s delta + b; C = s A + r B1 - r s delta + h + l, with B1 the B of G1.
Proof assemble(const VerifyingKey& key, const ProofSums& sums, const Blinding& blinding);

}  // namespace cuzk::groth16
