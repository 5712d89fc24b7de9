#include <algorithm>
#include <utility>

#include "cuda/pair_adder.cuh"
#include "cuda/pair_lists.cuh"
#include "cuda/point_multiples.h"
#include "cuda/windows.h"

namespace cuzk::cuda {
namespace {

constexpr std::size_t kAtOnce = std::size_t{1} << 22;

/// Doubles arrays of up to kAtOnce points.
class Doubler {
 public:
  Doubler(const Queue& queue, std::size_t most) : spare_(queue.memory, most), adder_(queue, most) {}

  /// to[i] = 2^times from[i]; times is at least 1.
  void double_points(std::span<const G1Affine> from, std::span<G1Affine> to, unsigned times) {
    const Doublings list{static_cast<u32>(from.size())};
    const G1Affine* source = from.data();
    for (unsigned left = times; left > 0; --left) {
      G1Affine* const target = left % 2 != 0 ? to.data() : spare_.data();  // the last one is `to`
      adder_.add(source, list, from.size(), target);
      source = target;
    }
  }

 private:
  DeviceBuffer<G1Affine> spare_;
  PairAdder<G1Curve> adder_;
};

}  // namespace

DeviceBuffer<G1Affine> point_multiples(const Queue& queue, std::span<const G1Affine> points, const MsmTuning& tuning) {
  const std::size_t size = points.size();
  DeviceBuffer<G1Affine> multiples(queue.memory, size * tuning.multiples);
  copy(multiples.span().first(size), points, queue.stream);
  const unsigned times = Windows::uniform(tuning.window_bits, tuning.multiples).doublings();
  const std::size_t made = size * (tuning.multiples - 1), most = std::min(size, kAtOnce);
  Doubler doubler(queue, most);
  for (std::size_t first = 0; first < made; first += most) {
    const std::size_t count = std::min(most, made - first);
    doubler.double_points(multiples.span().subspan(first, count), multiples.span().subspan(first + size, count), times);
  }
  return multiples;
}

}  // namespace cuzk::cuda
