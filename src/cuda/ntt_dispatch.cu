#include <algorithm>
#include <utility>

#include "base/ablation.h"
#include "cuda/error.h"
#include "cuda/ntt_kernels.cuh"

namespace cuzk::cuda {

namespace {

__device__ Fr multiply_by(Fr value, const Factors& factors, u32 exponent) {
  for (unsigned k = 0; k < factors.count; ++k) {
    const FactorTable& table = factors.tables[k];
    value = multiply(value, load(table.table + ((exponent >> table.shift) & table.mask)));
  }
  return value;
}

}  // namespace

__global__ void transform_few(const Fr* from, Fr* to, const ConstantFactor* roots, NttPass pass) {
  const u32 size = u32{1} << pass.log2_size, result = threadIdx.x;
  Fr sum = Fr::zero();
  for (u32 i = 0; i < size; ++i)
    sum += multiply(multiply_by(load(from + i), pass.before, i), load(roots + ((i * result) & (size - 1))));
  store(to + result, multiply_by(sum, pass.after, result));
}

namespace {

constexpr unsigned kColumns = 2;
constexpr unsigned kLog2Fewest = 3;

template <unsigned kLog2, unsigned kColumns>
void launch_columns(const Queue& queue, const Fr* from, Fr* to, const NttPass& pass) {
  constexpr unsigned kThreads = kColumns * (1u << kLog2) / 8;
  constexpr std::size_t kShared = sizeof(Fr) * kColumns << kLog2;
  const std::size_t blocks = std::size_t{1} << (pass.log2_size - kLog2);
  transform_pass<kLog2, kColumns>
      <<<blocks_for(blocks, kColumns), kThreads, kShared, queue.stream.handle()>>>(from, to, pass);
  check_launch("transform_pass");
}

template <unsigned kLog2>
void launch_pass(const Queue& queue, const Fr* from, Fr* to, const NttPass& pass) {
  if constexpr (kLog2 == NttRoots::kLog2Block) {
    if (is_left_out(Optimization::wide_columns)) return launch_columns<kLog2, 1>(queue, from, to, pass);
  }
  launch_columns<kLog2, kColumns>(queue, from, to, pass);
}

void launch(unsigned log2, const Queue& queue, const Fr* from, Fr* to, const NttPass& pass) {
  switch (log2) {
    case 3: return launch_pass<3>(queue, from, to, pass);
    case 4: return launch_pass<4>(queue, from, to, pass);
    case 5: return launch_pass<5>(queue, from, to, pass);
    case 6: return launch_pass<6>(queue, from, to, pass);
    case 7: return launch_pass<7>(queue, from, to, pass);
    case 8: return launch_pass<8>(queue, from, to, pass);
    default: return launch_pass<9>(queue, from, to, pass);
  }
}

Factors power_factors(const PowerTable& powers) {
  constexpr u32 kMask = (u32{1} << PowerTable::kLog2Low) - 1;
  return {{{powers.low, 0, kMask}, {powers.high, PowerTable::kLog2Low, UINT32_MAX}}, 2, 0};
}

Factors factors_of(const NttScaling& scaling) {
  if (scaling.powers.low != nullptr) return power_factors(scaling.powers);
  if (scaling.constant != nullptr) return {{{scaling.constant, 0, 0}}, 1, 0};
  return {};
}

/// Of the pass that makes blocks of 2^log2_order points whole; the first has none.
Factors twiddles_of(const NttRoots& roots, unsigned k, unsigned log2_done, unsigned log2_order) {
  if (log2_done == 0) return {};
  const unsigned log2_near = std::min(k, NttRoots::kLog2Near);
  if (log2_order <= log2_near) return {{{roots.near, 0, UINT32_MAX}}, 1, log2_near - log2_order};
  Factors factors = power_factors(roots.all);
  factors.log2_scale = k - log2_order;
  return factors;
}

NttPass pass_of(const NttRoots& roots, unsigned k, unsigned log2_done, unsigned log2) {
  return {.log2_size = k,
          .log2_done = log2_done,
          .block_roots = roots.block,
          .eighth = {roots.eighth[0], roots.eighth[1], roots.eighth[2]},
          .before = {},
          .twiddles = twiddles_of(roots, k, log2_done, log2_done + log2),
          .after = {}};
}

/// value i times the factor of exponent i.
__global__ void scale(Fr* values, std::size_t size, Factors factors) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < size) store(values + i, multiply_by(load_written(values + i), factors, static_cast<u32>(i)));
}

void scale_apart(const Queue& queue, unsigned k, const NttScaling& scaling, Fr* values) {
  constexpr unsigned kThreads = 128;
  const std::size_t size = std::size_t{1} << k;
  const Factors factors = factors_of(scaling);
  if (factors.count == 0) return;
  scale<<<blocks_for(size, kThreads), kThreads, 0, queue.stream.handle()>>>(values, size, factors);
  check_launch("scale");
}

Fr* transform_passes(const Queue& queue, unsigned k, const NttRoots& roots, const NttScaling& before,
                     const NttScaling& after, Fr* values, Fr* spare) {
  const unsigned passes = (k + NttRoots::kLog2Block - 1) / NttRoots::kLog2Block;
  for (unsigned i = 0, done = 0; i < passes; ++i) {
    const unsigned log2 = (k - done + passes - i - 1) / (passes - i);  // as even as can be
    NttPass pass = pass_of(roots, k, done, log2);
    if (i == 0) pass.before = factors_of(before);
    if (i + 1 == passes) pass.after = factors_of(after);
    launch(log2, queue, values, spare, pass);
    done += log2;
    std::swap(values, spare);
  }
  return values;
}

}  // namespace

Fr* transform(const Queue& queue, unsigned k, const NttRoots& roots, const NttScaling& before, const NttScaling& after,
              Fr* values, Fr* spare) {
  if (k < kLog2Fewest) {
    NttPass pass = pass_of(roots, k, 0, k);
    pass.before = factors_of(before);
    pass.after = factors_of(after);
    transform_few<<<1, 1u << k, 0, queue.stream.handle()>>>(values, spare, roots.near, pass);
    check_launch("transform_few");
    return spare;
  }
  if (!is_left_out(Optimization::fused_coset)) return transform_passes(queue, k, roots, before, after, values, spare);
  scale_apart(queue, k, before, values);
  Fr* const result = transform_passes(queue, k, roots, {}, {}, values, spare);
  scale_apart(queue, k, after, result);
  return result;
}

}  // namespace cuzk::cuda
