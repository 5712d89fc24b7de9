/// The quotient polynomial h = (A B - C) / Z of a witness: the part of a proof that shows that every constraint holds.
#pragma once

#include "base/buffer.h"
#include "base/thread_pool.h"
#include "field/fr.h"
#include "groth16/control.h"
#include "r1cs/circuit.h"
#include "r1cs/witness.h"

namespace cuzk::groth16 {

/// The coefficients of h, as many as the domain has points; the last one is zero when the witness satisfies the
/// circuit.
///
/// A, B, C are the polynomials that take the values a_j, b_j, c_j of the constraints on the domain {x : x^m = 1}.
/// Values of A B on the coset {x : x^m = s} are interpolated by coefficients of s h - h + C (x^m is the constant s
/// there), so that C never goes to the coset: six transforms in all. Memory: three buffers of m elements at the peak,
/// of which that of c has only the constraints' pages until the other two have become one. Spans: "evaluate",
/// "quotient".
Buffer<Fr> quotient(const r1cs::Circuit& circuit, const r1cs::Witness& witness, ThreadPool& pool,
                    const Control& control);

}  // namespace cuzk::groth16
