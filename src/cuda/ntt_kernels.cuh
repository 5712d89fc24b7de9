/// One pass of a transform: blocks of 2^kLog2 points, each in shared memory, kColumns of them side by side so that the
/// device's memory is read in pieces of 64 bytes.
///
/// A thread holds 8 values. All multiplications by factors go through one loop: the code for every kind of factor would
/// not fit the multiprocessor's instruction cache.
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

/// How a block of 2^kLog2 points is transformed: stages of radix 8, then one of radix 2 or 4 if need be, of several items
/// a thread.
template <unsigned kLog2>
struct BlockShape {
  static constexpr unsigned kPoints = 1u << kLog2, kThreads = kPoints / 8;
  static constexpr unsigned kEighths = kLog2 / 3, kLog2Rest = kLog2 % 3, kStages = kEighths + (kLog2Rest > 0 ? 1 : 0);
  static constexpr unsigned kRadix = 1u << kLog2Rest;  ///< of the last stage; 1: there is none

  /// Where what a thread holds as v[i] stands in the block, before the last stage and after it.
  __device__ static unsigned last_place(unsigned thread, unsigned i) {
    return thread + i / kRadix * kThreads + i % kRadix * (kPoints / kRadix);
  }
};

/// Where result r of item j of a stage after 2^log2_done points goes within the block.
__device__ inline unsigned stage_target(unsigned j, unsigned r, unsigned log2_done, unsigned log2_radix) {
  const unsigned inner = j & ((1u << log2_done) - 1);
  return ((j - inner) << log2_radix) + inner + (r << log2_done);
}

/// The factors of the 8 values of a thread: with r = i % kRadix and u = i / kRadix that of v[i] has the exponent
/// start + r by_r + u by_u + r u by_both. Values whose bit is set in `ones` are left as they are.
template <unsigned kRadix>
struct ThreadFactors {
  FactorTable factors;
  u32 start = 0, by_r = 0, by_u = 0, by_both = 0;
  u32 ones = 0;

  /// start + i step.
  __device__ static ThreadFactors linear(const FactorTable& factors, u32 start, u32 step, u32 ones = 0) {
    return {factors, start, step, kRadix * step, 0, ones};
  }

  __device__ void multiply_all(Fr* v) const {
#pragma unroll
    for (u32 i = 0; i < 8; ++i) {
      if ((ones >> i & 1) != 0) continue;
      const u32 r = i % kRadix, u = i / kRadix, exponent = start + r * by_r + u * by_u + r * u * by_both;
      v[i] = multiply(v[i], load(factors.table + ((exponent >> factors.shift) & factors.mask)));
    }
  }
};

/// The steps of a pass for one thread: multiplications by factors, some of them followed by a stage of the transform.
template <unsigned kLog2>
class PassSteps {
 public:
  using Shape = BlockShape<kLog2>;
  using Multiplication = ThreadFactors<Shape::kRadix>;

  __device__ PassSteps(const NttPass& pass, u32 block, unsigned thread)
      : pass_(pass),
        block_(block),
        thread_(thread),
        leading_(pass.before.count + pass.twiddles.count),
        first_(leading_ > 0 ? leading_ : 1) {}

  __device__ unsigned count() const { return first_ + Shape::kStages - 1 + pass_.after.count; }
  /// kStages or more where none follows.
  __device__ unsigned stage_after(unsigned step) const { return step + 1 - first_; }

  __device__ Multiplication multiplication(unsigned step) const {
    if (step < leading_) return step < pass_.before.count ? before(step) : twiddles(step - pass_.before.count);
    if (step < first_) return {.ones = 0xff};
    const unsigned stage = stage_after(step);
    return stage < Shape::kStages ? of_stage(stage) : after(stage - Shape::kStages);
  }

  __device__ u32 blocks() const { return u32{1} << (pass_.log2_size - kLog2); }
  /// Where in the whole array the thread's result i belongs.
  __device__ u32 place(u32 i) const {
    return ((block_ - inner()) << kLog2) + inner() + (Shape::last_place(thread_, i) << pass_.log2_done);
  }

 private:
  __device__ u32 inner() const { return block_ & ((u32{1} << pass_.log2_done) - 1); }

  __device__ Multiplication before(unsigned k) const {
    return Multiplication::linear(pass_.before.tables[k], block_ + thread_ * blocks(), Shape::kThreads * blocks());
  }
  __device__ Multiplication twiddles(unsigned k) const {
    const u32 scaled = inner() << pass_.twiddles.log2_scale;
    return Multiplication::linear(pass_.twiddles.tables[k], scaled * thread_, scaled * Shape::kThreads);
  }
  __device__ Multiplication of_stage(unsigned stage) const {
    const FactorTable roots{pass_.block_roots, 0, UINT32_MAX};
    if (stage < Shape::kEighths) {
      const u32 step = (thread_ & ((1u << 3 * stage) - 1)) << (NttRoots::kLog2Block - 3 - 3 * stage);
      return Multiplication::linear(roots, 0, step, 1);
    }
    constexpr u32 kStep = (1u << NttRoots::kLog2Block) >> kLog2;
    constexpr u32 kOnes = Shape::kRadix == 2 ? 0b01010101 : 0b00010001;
    return {roots, 0, thread_ * kStep, 0, Shape::kThreads * kStep, kOnes};
  }
  __device__ Multiplication after(unsigned k) const {
    const u32 by_u = Shape::kThreads << pass_.log2_done, by_r = (Shape::kPoints / Shape::kRadix) << pass_.log2_done;
    return {pass_.after.tables[k], place(0), by_r, by_u};
  }

  const NttPass& pass_;
  const u32 block_;
  const unsigned thread_, leading_, first_;
};

/// A stage on the values of a thread, and, unless it is the last, their exchange for those of the next stage.
template <unsigned kLog2, unsigned kColumns>
__device__ void run_stage(Fr* v, unsigned stage, SharedValues<kColumns> shared, unsigned thread, const NttPass& pass) {
  using Shape = BlockShape<kLog2>;
  if constexpr (Shape::kLog2Rest > 0) {
    if (stage == Shape::kEighths) {
#pragma unroll
      for (unsigned i = 0; i < 8; i += Shape::kRadix) transform_in_registers<Shape::kRadix>(v + i, pass.eighth);
      return;
    }
  }
  transform_in_registers<8>(v, pass.eighth);
  if (stage + 1 == Shape::kStages) return;
  if (stage > 0) __syncthreads();  // all have read what they now overwrite
#pragma unroll
  for (unsigned i = 0; i < 8; ++i) shared.set(stage_target(thread, i, 3 * stage, 3), v[i]);
  __syncthreads();
  const bool rest_is_next = stage + 1 == Shape::kEighths;
#pragma unroll
  for (unsigned i = 0; i < 8; ++i)
    v[i] = shared.get(rest_is_next ? Shape::last_place(thread, i) : thread + i * Shape::kThreads);
}

/// How many blocks of threads share a multiprocessor at least: what limits the registers of one.
template <unsigned kThreads>
inline constexpr unsigned kBlocksAtOnce = kThreads >= 128 ? 512 / kThreads : 4;

/// blockDim.x is kColumns * 2^kLog2 / 8.
template <unsigned kLog2, unsigned kColumns>
__global__ void __launch_bounds__(kColumns*(1u << kLog2) / 8, kBlocksAtOnce<kColumns*(1u << kLog2) / 8>)
    transform_pass(const Fr* from, Fr* to, const __grid_constant__ NttPass pass) {
  extern __shared__ uint4 memory[];
  using Shape = BlockShape<kLog2>;
  const unsigned column = threadIdx.x % kColumns, thread = threadIdx.x / kColumns;
  const u32 blocks = u32{1} << (pass.log2_size - kLog2);
  // A column that is too many does the last block's work again.
  const u32 block = min(blockIdx.x * kColumns + column, blocks - 1);
  const PassSteps<kLog2> steps(pass, block, thread);
  Fr v[8];
#pragma unroll
  for (u32 i = 0; i < 8; ++i) v[i] = load(from + block + (thread + i * Shape::kThreads) * blocks);
#pragma unroll 1
  for (unsigned step = 0; step < steps.count(); ++step) {
    steps.multiplication(step).multiply_all(v);
    const unsigned stage = steps.stage_after(step);  // wraps around before the first: then it is large
    if (stage < Shape::kStages)
      run_stage<kLog2>(v, stage, SharedValues<kColumns>(memory, Shape::kPoints, column), thread, pass);
  }
#pragma unroll
  for (u32 i = 0; i < 8; ++i) store(to + steps.place(i), v[i]);
}

/// Transforms of fewer than 8 points by the definition, one thread a result; `roots` are powers of the root of order
/// 2^log2_size.
__global__ void transform_few(const Fr* from, Fr* to, const ConstantFactor* roots, NttPass pass);

}  // namespace cuzk::cuda
