/// From a witness to the quotient polynomial h = (A B - C) / Z: the part of a proof that shows that every constraint
/// holds.
#pragma once

#include "base/buffer.h"
#include "base/thread_pool.h"
#include "field/fr.h"
#include "groth16/control.h"
#include "r1cs/circuit.h"
#include "r1cs/witness.h"

namespace cuzk::groth16 {

/// What a_j, b_j, c_j are for each constraint; what follows, up to the domain's size, has not been written.
struct Evaluations {
  Buffer<Fr> a, b, c;
};

Evaluations evaluate(const r1cs::Circuit& circuit, const r1cs::Witness& witness, ThreadPool& pool);

/// The coefficients of h, as many as the domain has points; the last one is zero when the witness satisfies the
/// circuit. Memory at the peak: two buffers of the domain's size, for a, b, c are evaluated one after another, each when
/// its turn comes. Spans: "evaluate", "quotient". Throws Error{cancelled}.
Buffer<Fr> quotient_of(const r1cs::Circuit& circuit, const r1cs::Witness& witness, ThreadPool& pool,
                       const Control& control);

}  // namespace cuzk::groth16
