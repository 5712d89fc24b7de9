/// a = A w, b = B w, c = C w of a witness, evaluated on a device from a circuit's templates: what r1cs/evaluator.h does,
/// to the bit.
///
/// A block of threads takes one instance of a template at a time: it gathers the instance's variables as bits in shared
/// memory (and the places of those that are field elements), evaluates the wide rows, and writes the rows, nearly all of
/// which are sums of a few bits.
#pragma once

#include "cuda/circuit.h"
#include "cuda/witness.h"

namespace cuzk::cuda {

/// The values on the whole domain: zeros behind the constraints.
struct DeviceEvaluations {
  DeviceBuffer<Fr> a, b, c;
};

/// The witness is of the circuit's shape, which is not checked. Enqueues only. Memory: 96 bytes for each point of the
/// domain, and 100 MB at most for what the blocks note. Throws Error{resource_exhausted}, also for a template of more
/// variables than a block of the device has room for (900,000 on an H200).
DeviceEvaluations evaluate(const Queue& queue, const DeviceCircuit& circuit, const DeviceWitness& witness);

enum class Side : u8 { a, b, c };

/// One of the three: for a device that has no memory for all at once. Memory: 32 bytes for each point of the domain beside
/// the notes.
DeviceBuffer<Fr> evaluate(const Queue& queue, const DeviceCircuit& circuit, const DeviceWitness& witness, Side side);

}  // namespace cuzk::cuda
