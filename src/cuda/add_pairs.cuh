/// Many independent additions of affine points that share one inversion: the kernels under every sum on a device.
///
/// A list of pairs is a type with
///   size()       the number of sums (called on the device: it may be read from device memory)
///   operands(i)  the places of the operands of sum i: Operands
/// and, where its places are not those of the array alone, overloads of address_of() and place_of_sum().
/// Thread t of T takes the sums t, t + T, ... Three kernels: each thread multiplies its denominators up and keeps the
/// products so far; the T totals are inverted; each thread goes back through its sums, which costs 5 multiplications
/// and a squaring each. Pairs may be of any points: equal, opposite, infinity.
/// Source: Montgomery, "Speeding the Pollard and Elliptic Curve Methods of Factorization", section 10.3.1.
#pragma once

#include "cuda/inverse_chain.cuh"
#include "cuda/square.cuh"
#include "cuda/wide_access.cuh"
#include "curve/affine.h"

namespace cuzk::cuda {

/// A place in an array of points; the highest bit says that the point is negated.
using SignedIndex = u32;
inline constexpr SignedIndex kNegated = u32{1} << 31;

struct Operands {
  static constexpr SignedIndex kNone = UINT32_MAX;
  SignedIndex left;
  SignedIndex right;  ///< kNone: the sum is the left operand

  __device__ bool is_pair() const { return right != kNone; }
  /// The right one, or the left again: then the two have the same x, and only the seldom way need ask which it is.
  __device__ SignedIndex right_or_left() const { return is_pair() ? right : left; }
};

/// Where the operand at a place of a list lies.
template <class Pairs, class Curve>
__device__ const AffinePoint<Curve>* address_of(const Pairs&, const AffinePoint<Curve>* points, u32 place) {
  return points + place;
}

/// Where in the array of sums that of a list's pair i goes.
template <class Pairs>
__device__ std::size_t place_of_sum(const Pairs&, std::size_t i) {
  return i;
}

template <class Curve, class Pairs>
__device__ AffinePoint<Curve> load_point(const AffinePoint<Curve>* points, const Pairs& pairs, SignedIndex index) {
  const AffinePoint<Curve> point = load(address_of(pairs, points, index & ~kNegated));
  return (index & kNegated) != 0 ? -point : point;
}

/// x2 - x1; 2 y for a doubling; 1 where no line is needed.
template <class Curve>
__device__ typename Curve::Field denominator(const AffinePoint<Curve>& left, const AffinePoint<Curve>& right) {
  using Field = typename Curve::Field;
  if (left.is_infinity() || right.is_infinity()) return Field::one();
  const Field dx = right.x - left.x;
  if (!dx.is_zero()) return dx;
  return left.y == right.y && !left.y.is_zero() ? left.y.doubled() : Field::one();
}

/// Whether the line through two points is a chord of the curve, as it nearly always is. Told by the x alone: infinity has
/// x = 0, and what the test takes for it wrongly is only added the longer way.
template <class Field>
__device__ bool is_chord(const Field& left_x, const Field& right_x, const Field& dx) {
  return !dx.is_zero() && !left_x.is_zero() && !right_x.is_zero();
}

/// The same as denominator(), from the x alone where they tell.
template <class Curve, class Pairs>
__device__ typename Curve::Field denominator_of(const AffinePoint<Curve>* points, const Pairs& pairs,
                                                const Operands& operands) {
  using Field = typename Curve::Field;
  const Field left = load(&address_of(pairs, points, operands.left & ~kNegated)->x);
  const Field right = load(&address_of(pairs, points, operands.right_or_left() & ~kNegated)->x);
  const Field dx = right - left;
  if (is_chord(left, right, dx)) return dx;
  if (!operands.is_pair()) return Field::one();
  return denominator(load_point(points, pairs, operands.left), load_point(points, pairs, operands.right));
}

/// left + right where the line through them is a chord, given 1 / (x2 - x1).
template <class Curve>
__device__ AffinePoint<Curve> add_by_chord(const AffinePoint<Curve>& left, const AffinePoint<Curve>& right,
                                           const typename Curve::Field& inverse) {
  using Field = typename Curve::Field;
  const Field slope = (right.y - left.y) * inverse;
  const Field x = square(slope) - left.x - right.x;
  return {x, slope * (left.x - x) - left.y};
}

/// left + right, given 1 / denominator(left, right).
template <class Curve>
__device__ AffinePoint<Curve> add(const AffinePoint<Curve>& left, const AffinePoint<Curve>& right,
                                  const typename Curve::Field& inverse) {
  using Field = typename Curve::Field;
  if (left.is_infinity()) return right;
  if (right.is_infinity()) return left;
  Field rise = right.y - left.y;
  if (left.x == right.x) {
    if (!rise.is_zero() || left.y.is_zero()) return AffinePoint<Curve>::infinity();
    const Field x_squared = square(left.x);
    rise = x_squared.doubled() + x_squared;
  }
  const Field slope = rise * inverse;
  const Field x = square(slope) - left.x - right.x;
  return {x, slope * (left.x - x) - left.y};
}

/// How the kernels fill the device, beside tuning.h. Found with bench/cuda: more blocks at a time cost registers that the additions need,
/// more than their threads hide; without a bound the compiler takes too many. A field of two coefficients needs twice as
/// many. Warps of one multiprocessor do not advance side by side: blocks that wait for their turn fill the places of
/// those that end early, the better the fewer sums a thread has, but each thread costs a share of an inversion.
template <class Field>
struct PairTuning {
  static constexpr unsigned kThreads = 128;
  static constexpr unsigned kBlocksPerMultiprocessor = sizeof(Field) > 48 ? 2 : 4;
};

/// The sum of a pair whose denominator is the chain's last. One test leads to the common case, a straight line of code
/// that the compiler can order well.
template <class Curve, class Pairs>
__device__ AffinePoint<Curve> add_pair(const AffinePoint<Curve>* points, const Pairs& pairs, const Operands& operands,
                                       const typename Curve::Field& before,
                                       InverseChain<typename Curve::Field>& chain) {
  const AffinePoint<Curve> left = load_point(points, pairs, operands.left);
  const AffinePoint<Curve> right = load_point(points, pairs, operands.right_or_left());
  const typename Curve::Field dx = right.x - left.x;
  if (is_chord(left.x, right.x, dx)) return add_by_chord(left, right, chain.take(before, dx));
  if (!operands.is_pair()) return left;
  return add(left, right, chain.take(before, denominator(left, right)));
}

/// products[i] = the product of the denominators of the same thread's sums before i; totals[t] = of all of them.
template <class Curve, class Pairs>
__global__ void __launch_bounds__(PairTuning<typename Curve::Field>::kThreads,
                                  PairTuning<typename Curve::Field>::kBlocksPerMultiprocessor)
    multiply_denominators(const AffinePoint<Curve>* points, Pairs pairs, typename Curve::Field* products,
                          typename Curve::Field* totals) {
  using Field = typename Curve::Field;
  const std::size_t thread = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  const std::size_t threads = gridDim.x * std::size_t{blockDim.x}, size = pairs.size();
  Field product = Field::one();
  for (std::size_t i = thread; i < size; i += threads) {
    store(products + i, product);
    product *= denominator_of(points, pairs, pairs.operands(i));
  }
  store(totals + thread, product);
}

/// sums[place of i] = the sum of the operands of i; inverses holds 1 / totals.
template <class Curve, class Pairs>
__global__ void __launch_bounds__(PairTuning<typename Curve::Field>::kThreads,
                                  PairTuning<typename Curve::Field>::kBlocksPerMultiprocessor)
    add_with_inverses(const AffinePoint<Curve>* points, Pairs pairs, const typename Curve::Field* products,
                      const typename Curve::Field* inverses, AffinePoint<Curve>* sums) {
  using Field = typename Curve::Field;
  const std::size_t thread = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  const std::size_t threads = gridDim.x * std::size_t{blockDim.x}, size = pairs.size();
  if (thread >= size) return;
  InverseChain<Field> chain(load(inverses + thread));
  for (std::size_t i = thread + (size - 1 - thread) / threads * threads;; i -= threads) {
    store(sums + place_of_sum(pairs, i), add_pair(points, pairs, pairs.operands(i), load(products + i), chain));
    if (i == thread) return;
  }
}

}  // namespace cuzk::cuda
