/// One pass of a transform: blocks of 2^kLog2 points, each in shared memory, kColumns of them side by side so that the
/// device's memory is read in pieces of 64 bytes.
///
/// A thread holds 8 values. All multiplications by factors go through one loop: unrolled code for every kind of factor
/// would not fit the multiprocessor's instruction cache.
#pragma once

#include "cuda/multiply_constant.cuh"
#include "cuda/ntt_dispatch.h"
#include "cuda/wide_access.cuh"

namespace cuzk::cuda {

/// Which power a value is multiplied by: that of exponent e is table[(e >> shift) & mask].
struct FactorTable {
  const ConstantFactor* table;
  u32 shift, mask;
};

/// Up to two tables, for powers that are products of two entries; exponents are multiplied by 2^log2_scale first.
struct Factors {
  FactorTable tables[2];
  unsigned count = 0;
  unsigned log2_scale = 0;
};

/// The place of a pass in the whole transform. Block j (of n / 2^kLog2) takes the values j, j + n / 2^kLog2, ... and,
/// with done = 2^log2_done the product of the earlier passes' sizes, writes result r to
/// (j - j mod done) * 2^kLog2 + j mod done + r * done.
struct NttPass {
  unsigned log2_size;  ///< of the whole transform
  unsigned log2_done;
  const ConstantFactor* block_roots;  ///< powers of the root of order 2^9
  ConstantFactor eighth[3];           ///< the first three powers of the root of order 8
  Factors before;                     ///< the exponent is the value's place
  Factors twiddles;                   ///< the exponent is (j mod done) * r
  Factors after;                      ///< the exponent is the result's place
};

/// exponent(i) is that of v[i], for i from kFirst on; the exponents before are 0.
template <u32 kFirst, class Exponent>
__device__ void multiply_all(Fr* v, const FactorTable& factors, const Exponent& exponent) {
#pragma unroll
  for (u32 i = kFirst; i < 8; ++i)
    v[i] = multiply(v[i], load(factors.table + ((exponent(i) >> factors.shift) & factors.mask)));
}

/// a + b and a - b in their places.
__device__ inline void butterfly(Fr& a, Fr& b) {
  const Fr sum = a + b;
  b = a - b;
  a = sum;
}

/// A transform of kRadix values in registers; results in natural order. eighth: see NttPass.
template <unsigned kRadix>
__device__ void transform_in_registers(Fr* v, const ConstantFactor* eighth) {
  if constexpr (kRadix == 2) {
    butterfly(v[0], v[1]);
  } else {
    constexpr unsigned kHalf = kRadix / 2, kStep = 8 / kRadix;
#pragma unroll
    for (unsigned i = 0; i < kHalf; ++i) butterfly(v[i], v[i + kHalf]);
#pragma unroll
    for (unsigned i = 1; i < kHalf; ++i) v[i + kHalf] = multiply(v[i + kHalf], eighth[i * kStep - 1]);
    transform_in_registers<kHalf>(v, eighth);
    transform_in_registers<kHalf>(v + kHalf, eighth);
    Fr natural[kRadix];
#pragma unroll
    for (unsigned i = 0; i < kHalf; ++i) {
      natural[2 * i] = v[i];
      natural[2 * i + 1] = v[i + kHalf];
    }
#pragma unroll
    for (unsigned i = 0; i < kRadix; ++i) v[i] = natural[i];
  }
}

/// The values of one block in shared memory, as two halves so that neighbouring threads use neighbouring banks.
template <unsigned kColumns>
class SharedValues {
 public:
  __device__ SharedValues(uint4* memory, unsigned points, unsigned column)
      : low_(memory + column), high_(memory + points * kColumns + column) {}

  __device__ Fr get(unsigned i) const {
    const uint4 pieces[2] = {low_[i * kColumns], high_[i * kColumns]};
    Fr value;
    __builtin_memcpy(&value, pieces, sizeof(Fr));
    return value;
  }
  __device__ void set(unsigned i, const Fr& value) {
    uint4 pieces[2];
    __builtin_memcpy(pieces, &value, sizeof(Fr));
    low_[i * kColumns] = pieces[0];
    high_[i * kColumns] = pieces[1];
  }

 private:
  uint4* low_;
  uint4* high_;
};

/// The stages of radix 8 that a block of 2^kLog2 points begins with.
template <unsigned kLog2>
inline constexpr unsigned kEighths = kLog2 / 3;

/// Item j of a stage of radix 8 after `done` points: its twiddles are powers of the root of order 8 done.
__device__ inline void multiply_twiddles(Fr* v, const NttPass& pass, unsigned j, unsigned log2_done) {
  const u32 exponent = (j & ((1u << log2_done) - 1)) << (NttRoots::kLog2Block - 3 - log2_done);
  multiply_all<1>(v, {pass.block_roots, 0, UINT32_MAX}, [&](u32 i) { return i * exponent; });
}

/// Where result r of item j of a stage after 2^log2_done points goes within the block.
__device__ inline unsigned stage_target(unsigned j, unsigned r, unsigned log2_done, unsigned log2_radix) {
  const unsigned inner = j & ((1u << log2_done) - 1);
  return ((j - inner) << log2_radix) + inner + (r << log2_done);
}

/// A last stage of radix 2 or 4, two or four items a thread; v[i] of item i / kRadix.
template <unsigned kLog2>
__device__ void finish_block(Fr* v, const NttPass& pass, unsigned thread) {
  constexpr unsigned kLog2Radix = kLog2 % 3, kRadix = 1u << kLog2Radix, kThreads = (1u << kLog2) / 8;
  constexpr unsigned kStep = (1u << NttRoots::kLog2Block) >> kLog2;
#pragma unroll
  for (unsigned u = 0; u < 8 / kRadix; ++u) {
    const unsigned exponent = (thread + u * kThreads) * kStep;
#pragma unroll
    for (unsigned r = 1; r < kRadix; ++r)
      v[u * kRadix + r] = multiply(v[u * kRadix + r], load(pass.block_roots + exponent * r));
    transform_in_registers<kRadix>(v + u * kRadix, pass.eighth);
  }
}

/// Transforms the block whose values v[i] are at thread + i * (points / 8); where result i is then.
template <unsigned kLog2, unsigned kColumns>
__device__ void transform_block(Fr* v, SharedValues<kColumns> shared, unsigned thread, const NttPass& pass) {
  constexpr unsigned kThreads = (1u << kLog2) / 8, kLog2Rest = kLog2 % 3;
#pragma unroll 1
  for (unsigned stage = 0;; ++stage) {
    if (stage > 0) multiply_twiddles(v, pass, thread, 3 * stage);
    transform_in_registers<8>(v, pass.eighth);
    if (kLog2Rest == 0 && stage + 1 == kEighths<kLog2>) return;
    if (stage > 0) __syncthreads();  // all have read what they now overwrite
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) shared.set(stage_target(thread, i, 3 * stage, 3), v[i]);
    __syncthreads();
    if (stage + 1 == kEighths<kLog2>) break;
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) v[i] = shared.get(thread + i * kThreads);
  }
  if constexpr (kLog2Rest > 0) {
    constexpr unsigned kRadix = 1u << kLog2Rest;
#pragma unroll
    for (unsigned i = 0; i < 8; ++i)
      v[i] = shared.get(thread + i / kRadix * kThreads + i % kRadix * ((1u << kLog2) / kRadix));
    finish_block<kLog2>(v, pass, thread);
  }
}

/// Where a block's result that a thread holds as v[i] belongs: transform_block's order.
template <unsigned kLog2>
__device__ unsigned result_of(unsigned thread, unsigned i) {
  constexpr unsigned kThreads = (1u << kLog2) / 8, kLog2Rest = kLog2 % 3, kRadix = 1u << kLog2Rest;
  if constexpr (kLog2Rest == 0) return thread + i * kThreads;
  return thread + i / kRadix * kThreads + i % kRadix * ((1u << kLog2) / kRadix);
}

/// How many blocks of threads share a multiprocessor at least: what limits the registers of one.
template <unsigned kThreads>
inline constexpr unsigned kBlocksAtOnce = kThreads >= 128 ? 512 / kThreads : 4;

/// blockDim.x is kColumns * 2^kLog2 / 8.
template <unsigned kLog2, unsigned kColumns>
__global__ void __launch_bounds__(kColumns*(1u << kLog2) / 8, kBlocksAtOnce<kColumns*(1u << kLog2) / 8>)
    transform_pass(const Fr* from, Fr* to, const __grid_constant__ NttPass pass) {
  extern __shared__ uint4 memory[];
  constexpr unsigned kPoints = 1u << kLog2, kThreads = kPoints / 8;
  const unsigned column = threadIdx.x % kColumns, thread = threadIdx.x / kColumns;
  const u32 blocks = u32{1} << (pass.log2_size - kLog2);
  // A column that is too many does the last block's work again.
  const u32 block = min(blockIdx.x * kColumns + column, blocks - 1), inner = block & ((u32{1} << pass.log2_done) - 1);
  Fr v[8];
#pragma unroll
  for (u32 i = 0; i < 8; ++i) v[i] = load(from + block + (thread + i * kThreads) * blocks);
#pragma unroll 1
  for (unsigned k = 0; k < pass.before.count + pass.twiddles.count; ++k) {
    const bool first = k < pass.before.count;
    const FactorTable& factors = first ? pass.before.tables[k] : pass.twiddles.tables[k - pass.before.count];
    const u32 start = first ? block + thread * blocks : inner * thread << pass.twiddles.log2_scale;
    const u32 step = first ? kThreads * blocks : inner * kThreads << pass.twiddles.log2_scale;
    multiply_all<0>(v, factors, [&](u32 i) { return start + i * step; });
  }
  transform_block<kLog2>(v, SharedValues<kColumns>(memory, kPoints, column), thread, pass);
  const auto place = [&](u32 i) {
    return ((block - inner) << kLog2) + inner + (result_of<kLog2>(thread, i) << pass.log2_done);
  };
#pragma unroll 1
  for (unsigned k = 0; k < pass.after.count; ++k) multiply_all<0>(v, pass.after.tables[k], place);
#pragma unroll
  for (u32 i = 0; i < 8; ++i) store(to + place(i), v[i]);
}

/// Transforms of fewer than 8 points by the definition, one thread a result; `roots` are powers of the root of order
/// 2^log2_size.
__global__ void transform_few(const Fr* from, Fr* to, const ConstantFactor* roots, NttPass pass);

}  // namespace cuzk::cuda
