/// A compiled circuit in a device's memory: what a proof needs of it beside the key.
#pragma once

#include <vector>

#include "cuda/circuit_tables.h"
#include "cuda/device_buffer.h"
#include "cuda/queue.h"
#include "r1cs/circuit.h"

namespace cuzk::cuda {

/// Which auxiliary variables a query of a key lists.
struct Density {
  DeviceBuffer<u64> words;   ///< a bit for each auxiliary variable
  DeviceBuffer<u32> before;  ///< by word: how many are set before it (bit_ranks.h)
};

/// Does not refer to the circuit that it was made of. Memory: about 70 MB for a partition of PoRep-32G, and half a byte
/// a variable.
class DeviceCircuit {
 public:
  /// Waits until everything is there: some hundred milliseconds at 32 GiB. Throws Error{resource_exhausted}, and
  /// Error{internal} for a template that the tables cannot number.
  DeviceCircuit(const Queue& queue, const r1cs::Circuit& circuit);

  const CircuitTables& tables() const { return tables_; }
  const Density& a_aux() const { return a_aux_; }
  const Density& b_aux() const { return b_aux_; }
  std::span<const u32> b_inputs() const { return b_inputs_; }  ///< of the host: the inputs that B lists

  u64 gadget_constraints() const { return gadget_constraints_; }
  u32 inputs() const { return inputs_; }
  unsigned log2_domain() const { return log2_domain_; }

 private:
  void upload_programs(const Queue& queue, const r1cs::Circuit& circuit);
  void upload_instances(const Queue& queue, const r1cs::Circuit& circuit);

  u32 inputs_;
  u64 gadget_constraints_;
  unsigned log2_domain_;
  Density a_aux_, b_aux_;
  std::vector<u32> b_inputs_;

  DeviceBuffer<u32> starts_;  // of rows and wide rows of all programs
  DeviceBuffer<PackedTerm> terms_;
  DeviceBuffer<ProgramRun> program_runs_;
  DeviceBuffer<Fr> coefficients_;  // the small elements first
  DeviceBuffer<Program> programs_;
  DeviceBuffer<PlacedInstance> instances_;
  DeviceBuffer<PlacedRun> runs_;
  CircuitTables tables_{};
};

}  // namespace cuzk::cuda
