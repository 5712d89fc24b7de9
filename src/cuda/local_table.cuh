/// The variables of one instance by local number, in the shared memory of the block that evaluates it.
///
/// A bit tells the value of a variable that is a bit, another that it is a field element; where that one lies stands in
/// the device's memory.
#pragma once

#include "cuda/circuit_tables.h"
#include "cuda/packed_bits.cuh"
#include "cuda/wide_access.cuh"
#include "cuda/witness.h"

namespace cuzk::cuda {

class LocalTable {
 public:
  /// Words of 32 bits that one of the two tables of bits takes; chunk() reads two words beyond its first.
  __host__ __device__ static constexpr u32 words(u32 locals) { return locals / 32 + 3; }

  /// `memory` is shared and has 2 * words(most locals) + 1 words; `places` has a word for each local.
  __device__ LocalTable(u32* memory, u32 most_locals, u32* places)
      : ones_(memory), elements_(memory + words(most_locals)), any_(elements_ + words(most_locals)), places_(places) {}

  /// By all threads of the block, which then hold a barrier before they look anything up.
  __device__ void fill(const CircuitTables& circuit, const Program& program, const PlacedInstance& instance,
                       const WitnessView& witness) {
    clear(words(program.locals()));
    __syncthreads();
    if (threadIdx.x == 0) put(ones_, 0, 1);
    for (u32 r = threadIdx.x; r < instance.runs; r += blockDim.x) place(circuit.runs[instance.first_run + r], witness);
    const u32 first_own = 1 + program.externals;
    for (u32 i = 32 * threadIdx.x; i < program.own; i += 32 * blockDim.x)
      place_chunk(witness, instance.first_aux + i, first_own + i, min(32U, program.own - i));
  }

  __device__ bool any_element() const { return *any_ != 0; }
  __device__ u32 one(u32 local) const { return ones_[local / 32] >> (local % 32) & 1; }
  __device__ bool is_element(u32 local) const { return (elements_[local / 32] >> (local % 32) & 1) != 0; }
  __device__ Fr element(const WitnessView& witness, u32 local) const { return load(witness.elements + places_[local]); }

  // Of up to 64 variables from one on, lowest first.
  __device__ u64 ones_from(u32 local, u32 count) const { return chunk(ones_, local, count); }
  __device__ u64 elements_from(u32 local, u32 count) const { return chunk(elements_, local, count); }

 private:
  __device__ void clear(u32 count) {
    for (u32 i = threadIdx.x; i < count; i += blockDim.x) ones_[i] = elements_[i] = 0;
    if (threadIdx.x == 0) *any_ = 0;
  }

  /// Up to 32 bits; neighbours may be written by other threads.
  __device__ static void put(u32* table, u32 local, u32 bits) {
    const u64 shifted = u64{bits} << (local % 32);
    if (static_cast<u32>(shifted) != 0) atomicOr(table + local / 32, static_cast<u32>(shifted));
    if (shifted >> 32 != 0) atomicOr(table + local / 32 + 1, static_cast<u32>(shifted >> 32));
  }

  __device__ static u64 chunk(const u32* table, u32 local, u32 count) {
    const u32 word = local / 32, shift = local % 32;
    u64 bits = (u64{table[word + 1]} << 32 | table[word]) >> shift;
    if (shift != 0) bits |= u64{table[word + 2]} << (64 - shift);
    return bits & low_bits(count);
  }

  __device__ void place(const PlacedRun& run, const WitnessView& witness) {
    if ((run.first & PlacedRun::kInput) != 0) return place_inputs(run);
    for (u32 i = 0; i < run.count; i += 32) place_chunk(witness, run.first + i, run.local + i, min(32U, run.count - i));
  }

  __device__ void place_inputs(const PlacedRun& run) {
    for (u32 i = 0; i < run.count; ++i) {
      put(elements_, run.local + i, 1);
      places_[run.local + i] = (run.first & ~PlacedRun::kInput) + i;
    }
    *any_ = 1;
  }

  __device__ void place_chunk(const WitnessView& witness, u32 variable, u32 local, u32 count) {
    put(ones_, local, static_cast<u32>(bits_at(witness.ones, variable, count)));
    u32 elements = static_cast<u32>(bits_at(witness.is_element, variable, count));
    if (elements == 0) return;
    put(elements_, local, elements);
    *any_ = 1;
    const u64 before = witness.is_element[variable / 64] & low_bits(variable % 64);
    u32 place = witness.inputs + witness.elements_before[variable / 64] + static_cast<u32>(__popcll(before));
    for (; elements != 0; elements &= elements - 1)
      places_[local + static_cast<u32>(__ffs(static_cast<int>(elements)) - 1)] = place++;
  }

  u32* ones_;
  u32* elements_;
  u32* any_;
  u32* places_;
};

}  // namespace cuzk::cuda
