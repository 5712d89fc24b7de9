/// One transform, described by its constants: what the kernels under Domain compute.
#pragma once

#include <span>

#include "base/thread_pool.h"
#include "field/fr.h"

namespace cuzk {

/// X_k = scale * post^k * sum over i of (pre^i x_i) * root^(i k), for n = 2^log2_size values; root has order n.
struct Transform {
  unsigned log2_size;
  Fr root;
  Fr scale = Fr::one();
  Fr pre = Fr::one();
  Fr post = Fr::one();
};

/// The kernels take this many logarithms of sizes and more.
inline constexpr unsigned kMinLog2ForKernels = 6;

/// In place, natural order in and out.
void transform_portable(std::span<Fr> values, const Transform& transform, ThreadPool& pool);

/// The same with AVX-512 IFMA; only where is_supported(Kernels::ifma).
void transform_ifma(std::span<Fr> values, const Transform& transform, ThreadPool& pool);

}  // namespace cuzk
