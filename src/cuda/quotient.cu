#include <utility>

#include "cuda/error.h"
#include "cuda/quotient.h"
#include "cuda/wide_access.cuh"

namespace cuzk::cuda {
namespace {

constexpr unsigned kThreads = 256;

__global__ void multiply_values(Fr* a, const Fr* b, std::size_t size) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < size) store(a + i, load(a + i) * load(b + i));
}

/// h = (ab - c) factor, where the factor is not in Montgomery form: so is h.
__global__ void subtract_and_scale(const Fr* ab, const Fr* c, Fr::Integer factor, Fr::Integer* h, std::size_t size) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i >= size) return;
  const Fr difference = load(ab + i) - load(c + i);
  store(h + i, (difference * Fr::from_montgomery_unchecked(factor)).montgomery_form());
}

/// 7^n - 1, what the vanishing polynomial is on the coset.
Fr vanishing_on_coset(std::size_t size) { return Fr::from_u64(kFrGenerator).pow(u64{size}) - Fr::one(); }

}  // namespace

DeviceBuffer<Fr::Integer> quotient(const Queue& queue, NttDomain& domain, DeviceBuffer<Fr> a, DeviceBuffer<Fr> b,
                                   DeviceBuffer<Fr> c) {
  const std::size_t size = domain.size();
  const unsigned blocks = blocks_for(size, kThreads);
  domain.shift_to_coset(a);
  domain.shift_to_coset(b);
  multiply_values<<<blocks, kThreads, 0, queue.stream.handle()>>>(a.data(), b.data(), size);
  check_launch("multiply_values");
  domain.coset_inverse(a);
  domain.inverse(c);
  b = {};
  DeviceBuffer<Fr::Integer> h(queue.memory, size);
  subtract_and_scale<<<blocks, kThreads, 0, queue.stream.handle()>>>(
      a.data(), c.data(), vanishing_on_coset(size).inverse().to_integer(), h.data(), size);
  check_launch("subtract_and_scale");
  return h;
}

}  // namespace cuzk::cuda
