#include "cuda/buckets.cuh"
#include "cuda/error.h"
#include "cuda/fixed_base.h"
#include "cuda/pair_adder.cuh"
#include "cuda/pair_lists.cuh"
#include "cuda/point_progression.h"
#include "curve/point.h"

namespace cuzk::cuda {
namespace {

constexpr unsigned kBits = 16;
constexpr unsigned kWindows = Windows::in_scalar(kBits);
constexpr u32 kDigits = u32{1} << (kBits - 1);
constexpr u32 kInfinity = kWindows * kDigits;
static_assert((kWindows & (kWindows - 1)) == 0, "halving ends at one point for each scalar");

/// For each scalar in turn, the entries of the table whose sum is its multiple.
__global__ void list_entries(const Fr* scalars, u32 size, ScalarShift shift, SignedIndex* entries) {
  const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  const ShiftedScalar scalar(load(scalars + i).to_integer(), shift);
  for (unsigned window = 0; window < kWindows; ++window) {
    const i32 digit = scalar.digit(window * kBits, kBits);
    const u32 magnitude = static_cast<u32>(digit < 0 ? -digit : digit);
    const u32 entry = digit == 0 ? kInfinity : window * kDigits + magnitude - 1;
    entries[std::size_t{i} * kWindows + window] = digit < 0 ? entry | kNegated : entry;
  }
}

DeviceBuffer<u32> entries_of(const Queue& queue, std::span<const Fr> scalars) {
  constexpr unsigned kThreads = 128;
  DeviceBuffer<u32> entries(queue.memory, scalars.size() * kWindows);
  list_entries<<<blocks_for(scalars.size(), kThreads), kThreads, 0, queue.stream.handle()>>>(
      scalars.data(), static_cast<u32>(scalars.size()), scalar_shift(Windows::uniform(kBits)), entries.data());
  check_launch("list_entries");
  return entries;
}

}  // namespace

template <class Curve>
FixedBase<Curve>::FixedBase(const Queue& queue, const Point<Curve>& base)
    : queue_(queue), table_(queue.memory, kInfinity + std::size_t{1}) {
  Point<Curve> first = base;
  for (unsigned window = 0; window < kWindows; ++window) {
    const Affine step = first.to_affine();
    const DeviceBuffer<Affine> multiples = point_progression<Curve>(queue, step, step, kDigits);
    copy(table_.span().subspan(std::size_t{window} * kDigits, kDigits), multiples.span().first(kDigits), queue.stream);
    for (unsigned k = 0; k < kBits; ++k) first = first.doubled();
  }
  const Affine infinity = Affine::infinity();
  copy(table_.span().last(1), std::span(&infinity, 1), queue.stream);
  queue.stream.synchronize();
}

template <class Curve>
void FixedBase<Curve>::multiply(std::span<const Fr> scalars, std::span<Affine> points) const {
  if (scalars.empty()) return;
  const DeviceBuffer<u32> entries = entries_of(queue_, scalars);
  const ListedPairs listed{entries.data(), static_cast<u32>(entries.size())};
  PairAdder<Curve> adder(queue_, listed.size());
  DeviceBuffer<Affine> sums(queue_.memory, listed.size());
  adder.add(table_.data(), listed, listed.size(), sums.data());
  while (sums.size() > 2 * points.size()) {
    const NeighbourPairs pairs{static_cast<u32>(sums.size())};
    DeviceBuffer<Affine> halved(queue_.memory, pairs.size());
    adder.add(sums.data(), pairs, pairs.size(), halved.data());
    sums = std::move(halved);
  }
  const NeighbourPairs last{static_cast<u32>(sums.size())};
  adder.add(sums.data(), last, last.size(), points.data());
}

template class FixedBase<G1Curve>;
template class FixedBase<G2Curve>;

}  // namespace cuzk::cuda
