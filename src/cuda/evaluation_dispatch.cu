#include <algorithm>

#include "cuda/error.h"
#include "cuda/evaluation_dispatch.h"
#include "cuda/local_table.cuh"

namespace cuzk::cuda {
namespace {

/// How the blocks fill the device. Not swept: the kernel is bound by what it writes.
struct EvaluationTuning {
  static constexpr unsigned kThreads = 256;
  static constexpr unsigned kBlocksPerMultiprocessor = 4;
};

/// What a block notes of its instance in the device's memory.
struct BlockNotes {
  u32* places;  ///< of field elements, by local variable
  Fr* wide;     ///< values of wide rows
};

class InstanceEvaluator {
 public:
  __device__ InstanceEvaluator(const CircuitTables& circuit, const WitnessView& witness, const Program& program,
                               const LocalTable& locals, Fr* wide)
      : circuit_(circuit), witness_(witness), program_(program), locals_(locals), wide_(wide) {}

  /// By all threads of the block, as write().
  __device__ void note_wide_rows() const {
    for (u32 j = threadIdx.x; j < program_.wide_rows; j += blockDim.x) store(wide_ + j, wide_value(j));
  }

  __device__ void write(const ProgramSide& side, Fr* out) const {
    const bool mixed = locals_.any_element();
    for (u32 row = threadIdx.x; row < program_.rows; row += blockDim.x) {
      const u32 begin = side.starts[row], end = side.starts[row + 1];
      store(out + row, mixed ? mixed_value(side.terms, begin, end) : bits_value(side.terms, begin, end));
    }
  }

 private:
  __device__ Fr small(i32 value) const { return load(circuit_.small_elements + (128 + value)); }
  /// Written by this block: not for the cache of constants.
  __device__ Fr wide(u32 row) const { return wide_[row]; }

  __device__ Fr bits_value(const PackedTerm* terms, u32 begin, u32 end) const {
    i32 integer = 0;
    for (u32 i = begin; i < end; ++i) {
      const PackedTerm term = terms[i];
      if (term.is_wide()) return wide(term.wide_row());
      if (locals_.one(term.local()) != 0) integer += term.coefficient();
    }
    return small(integer);
  }

  __device__ Fr mixed_value(const PackedTerm* terms, u32 begin, u32 end) const {
    i32 integer = 0;
    Fr sum = Fr::zero();
    for (u32 i = begin; i < end; ++i) {
      const PackedTerm term = terms[i];
      if (term.is_wide()) return wide(term.wide_row());
      if (locals_.is_element(term.local())) {
        sum += product(locals_.element(witness_, term.local()), term.coefficient());
      } else if (locals_.one(term.local()) != 0) {
        integer += term.coefficient();
      }
    }
    return integer == 0 ? sum : sum + small(integer);
  }

  __device__ Fr product(const Fr& element, i32 coefficient) const {
    if (coefficient == 1) return element;
    if (coefficient == -1) return -element;
    return element * small(coefficient);
  }

  /// Integers of bits meet coefficients without being brought to Montgomery form: their sum is, once.
  __device__ Fr wide_value(u32 j) const {
    Fr integers = Fr::zero(), others = Fr::zero();
    for (u32 r = program_.wide_starts[j]; r < program_.wide_starts[j + 1]; ++r) {
      const ProgramRun run = program_.runs[r];
      const Fr coefficient = load(program_.coefficients + run.coefficient);
      if (locals_.elements_from(run.local, run.length) == 0) {
        const u64 integer = locals_.ones_from(run.local, run.length);
        if (integer != 0) integers += Fr::from_montgomery_unchecked({{integer}}) * coefficient;
      } else {
        others += sum_of_run(run, coefficient);
      }
    }
    constexpr auto r_square = FrParams::kR2;
    return others + integers * Fr::from_montgomery_unchecked(r_square);
  }

  __device__ Fr sum_of_run(const ProgramRun& run, Fr coefficient) const {
    Fr sum = Fr::zero();
    for (u32 local = run.local; local < run.local + run.length; ++local) {
      if (locals_.is_element(local)) {
        sum += locals_.element(witness_, local) * coefficient;
      } else if (locals_.one(local) != 0) {
        sum += coefficient;
      }
      coefficient = coefficient.doubled();
    }
    return sum;
  }

  const CircuitTables& circuit_;
  const WitnessView& witness_;
  const Program& program_;
  const LocalTable& locals_;
  Fr* wide_;
};

__global__ void __launch_bounds__(EvaluationTuning::kThreads, EvaluationTuning::kBlocksPerMultiprocessor)
    evaluate_blocks(CircuitTables circuit, WitnessView witness, BlockNotes notes, SidesOut out) {
  extern __shared__ u32 shared[];
  Fr* const wide = notes.wide + std::size_t{blockIdx.x} * circuit.most_wide_rows;
  LocalTable locals(shared, circuit.most_locals, notes.places + std::size_t{blockIdx.x} * circuit.most_locals);
  for (u32 i = blockIdx.x; i < circuit.count; i += gridDim.x) {
    const PlacedInstance instance = circuit.instances[i];
    const Program program = circuit.programs[instance.program];
    const InstanceEvaluator evaluator(circuit, witness, program, locals, wide);
    locals.fill(circuit, program, instance, witness);
    __syncthreads();
    evaluator.note_wide_rows();
    __syncthreads();
    if (out.a != nullptr) evaluator.write(program.a, out.a + instance.first_constraint);
    if (out.b != nullptr) evaluator.write(program.b, out.b + instance.first_constraint);
    if (out.c != nullptr) evaluator.write(program.c, out.c + instance.first_constraint);
    __syncthreads();
  }
}

}  // namespace

std::size_t evaluation_shared_memory(u32 most_locals) {
  return (2 * std::size_t{LocalTable::words(most_locals)} + 1) * sizeof(u32);
}

void evaluate_instances(const Queue& queue, const CircuitTables& circuit, const WitnessView& witness,
                        const SidesOut& out) {
  using Tuning = EvaluationTuning;
  if (circuit.count == 0) return;
  const unsigned blocks = std::min(circuit.count, queue.device.multiprocessors * Tuning::kBlocksPerMultiprocessor);
  DeviceBuffer<u32> places(queue.memory, std::size_t{blocks} * circuit.most_locals);
  DeviceBuffer<Fr> wide(queue.memory, std::size_t{blocks} * circuit.most_wide_rows);
  const std::size_t shared = evaluation_shared_memory(circuit.most_locals);
  check(cudaFuncSetAttribute(evaluate_blocks, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared)),
        "cudaFuncSetAttribute");
  evaluate_blocks<<<blocks, Tuning::kThreads, shared, queue.stream.handle()>>>(circuit, witness,
                                                                               {places.data(), wide.data()}, out);
  check_launch("evaluate_blocks");
}

}  // namespace cuzk::cuda
