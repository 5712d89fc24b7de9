#include <algorithm>
#include <utility>

#include "cuda/error.h"
#include "cuda/pace.h"
#include "cuda/quotient.h"
#include "cuda/wide_access.cuh"

namespace cuzk::cuda {
namespace {

constexpr unsigned kThreads = 256;

/// Points that are transformed between two looks at the queue's stop: about 20 ms of an H200.
constexpr std::size_t kPiece = std::size_t{1} << 26;

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

void multiply(const Queue& queue, std::span<Fr> a, std::span<const Fr> b) {
  multiply_values<<<blocks_for(a.size(), kThreads), kThreads, 0, queue.stream.handle()>>>(a.data(), b.data(), a.size());
  check_launch("multiply_values");
}

/// h = (ab - c) / Z for some of the coefficients.
void divide(const Queue& queue, std::span<const Fr> ab, std::span<const Fr> c, const Fr::Integer& factor,
            std::span<Fr::Integer> h) {
  subtract_and_scale<<<blocks_for(h.size(), kThreads), kThreads, 0, queue.stream.handle()>>>(
      ab.data(), c.data(), factor, h.data(), h.size());
  check_launch("subtract_and_scale");
}

Fr::Integer factor_of(std::size_t size) { return vanishing_on_coset(size).inverse().to_integer(); }

/// Values that wait in the host's memory and come back in pieces.
class Parked {
 public:
  Parked(const Queue& queue, std::span<Fr> memory) : queue_(queue), memory_(memory) {}

  /// Waits, so that the device's memory is free.
  void put(DeviceBuffer<Fr> values) {
    cuda::copy(memory_, std::span<const Fr>(values.span()), queue_.stream);
    queue_.stream.synchronize();
  }

  /// visit(first, piece): enqueues work with a piece on the device.
  template <class Visit>
  void for_each_piece(Visit&& visit) const {
    constexpr std::size_t kPiece = std::size_t{1} << 22;
    const std::size_t most = std::min(kPiece, memory_.size());
    DeviceBuffer<Fr> piece(queue_.memory, most);
    for (std::size_t first = 0; first < memory_.size(); first += most) {
      const std::size_t count = std::min(most, memory_.size() - first);
      cuda::copy(piece.span().first(count), std::span<const Fr>(memory_.subspan(first, count)), queue_.stream);
      visit(first, std::span<const Fr>(piece.span().first(count)));
    }
  }

 private:
  const Queue& queue_;
  std::span<Fr> memory_;
};

}  // namespace

DeviceBuffer<Fr::Integer> quotient(const Queue& queue, NttDomain& domain, const SideValues& values_of) {
  const std::size_t size = domain.size();
  Pace pace(queue, kPiece);
  DeviceBuffer<Fr> a = values_of(Side::a);
  domain.shift_to_coset(a);
  pace.enqueued(2 * size);
  DeviceBuffer<Fr> b = values_of(Side::b);
  domain.shift_to_coset(b);
  pace.enqueued(2 * size);
  multiply(queue, a.span(), b.span());
  b = {};
  domain.coset_inverse(a);
  pace.enqueued(size);
  DeviceBuffer<Fr> c = values_of(Side::c);
  domain.inverse(c);
  DeviceBuffer<Fr::Integer> h(queue.memory, size);
  divide(queue, a.span(), c.span(), factor_of(size), h.span());
  return h;
}

DeviceBuffer<Fr::Integer> quotient_parked(const Queue& queue, NttDomain& domain, const SideValues& values_of,
                                          std::span<Fr> parked) {
  const std::size_t size = domain.size();
  Pace pace(queue, kPiece);
  Parked waiting(queue, parked.first(size));
  DeviceBuffer<Fr> a = values_of(Side::a);
  domain.shift_to_coset(a);
  pace.enqueued(2 * size);
  waiting.put(std::move(a));
  DeviceBuffer<Fr> b = values_of(Side::b);
  domain.shift_to_coset(b);
  pace.enqueued(2 * size);
  waiting.for_each_piece([&](std::size_t first, std::span<const Fr> piece) {
    multiply(queue, b.span().subspan(first, piece.size()), piece);
  });
  domain.coset_inverse(b);
  pace.enqueued(size);
  waiting.put(std::move(b));
  DeviceBuffer<Fr> c = values_of(Side::c);
  domain.inverse(c);
  DeviceBuffer<Fr::Integer> h(queue.memory, size);
  waiting.for_each_piece([&](std::size_t first, std::span<const Fr> piece) {
    const auto part = [&](auto& values) { return values.span().subspan(first, piece.size()); };
    divide(queue, piece, part(c), factor_of(size), part(h));
  });
  return h;
}

}  // namespace cuzk::cuda
