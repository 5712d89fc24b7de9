#include "cuda/error.h"
#include "cuda/point_decoding.h"
#include "cuda/square.cuh"
#include "cuda/wide_access.cuh"
#include "curve/subgroup.h"

namespace cuzk::cuda {
namespace {

constexpr unsigned kThreads = 128;

/// A coordinate as it stands in the file.
struct Encoded {
  u64 words[6];
};

__device__ u64 swapped(u64 word) {
  const u32 low = static_cast<u32>(word), high = static_cast<u32>(word >> 32);
  return static_cast<u64>(__byte_perm(low, 0, 0x0123)) << 32 | __byte_perm(high, 0, 0x0123);
}

/// Flags are bits above the modulus: an encoding with one of them is not canonical.
__device__ bool decode(const std::byte* bytes, Fp& x) {
  const Encoded encoded = load(reinterpret_cast<const Encoded*>(bytes));
  Fp::Integer value;
#pragma unroll
  for (unsigned i = 0; i < 6; ++i) value[i] = swapped(encoded.words[5 - i]);
  constexpr auto modulus = FpParams::kModulus;
  x = Fp::from_integer_unchecked(value);
  return less(value, modulus);
}

__device__ bool decode(const std::byte* bytes, Fp2& x) {
  const bool c1 = decode(bytes, x.c1);
  return decode(bytes + Fp::kBytes, x.c0) && c1;
}

template <class Curve>
__device__ bool is_on_curve(const AffinePoint<Curve>& point) {
  return square(point.y) == square(point.x) * point.x + Curve::b();
}

template <class Curve>
__global__ void __launch_bounds__(kThreads)
    decode_each(const std::byte* bytes, AffinePoint<Curve>* points, u32 size, u32 first, u32* first_bad) {
  using Field = typename Curve::Field;
  const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  const std::byte* const own = bytes + std::size_t{2 * Field::kBytes} * i;
  AffinePoint<Curve> point;
  const bool x_is_canonical = decode(own, point.x), y_is_canonical = decode(own + Field::kBytes, point.y);
  if (!x_is_canonical || !y_is_canonical || point.is_infinity() || !is_on_curve(point)) atomicMin(first_bad, first + i);
  store(points + i, point);
}

/// The multiplication by the curve's x, as times_curve_x(), with one copy of each formula: the code fits the cache of
/// instructions.
template <class Curve>
__device__ __noinline__ Point<Curve> times_x(const Point<Curve>& point) {
  Point<Curve> sum = point;
#pragma unroll 1
  for (int i = 62; i >= 0; --i) {
    sum = sum.doubled();
    if (((kCurveX >> i) & 1) != 0) sum = sum + point;
  }
  return sum;
}

__device__ bool is_in_group(const G1Affine& point) { return times_x(times_x(G1(point))) == -G1(endomorphism(point)); }
__device__ bool is_in_group(const G2Affine& point) { return times_x(G2(point)) == -G2(endomorphism(point)); }

template <class Curve>
__global__ void __launch_bounds__(kThreads)
    check_each(const AffinePoint<Curve>* points, u32 size, u32 first, u32* first_bad) {
  const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size && !is_in_group(load(points + i))) atomicMin(first_bad, first + i);
}

}  // namespace

template <class Curve>
void decode_points(const Stream& stream, std::span<const std::byte> bytes, std::span<AffinePoint<Curve>> points,
                   u32 first, u32* first_bad) {
  const u32 size = static_cast<u32>(points.size());
  decode_each<<<blocks_for(size, kThreads), kThreads, 0, stream.handle()>>>(bytes.data(), points.data(), size, first,
                                                                            first_bad);
  check_launch("decode_each");
}

template void decode_points(const Stream&, std::span<const std::byte>, std::span<G1Affine>, u32, u32*);
template void decode_points(const Stream&, std::span<const std::byte>, std::span<G2Affine>, u32, u32*);

template <class Curve>
void check_subgroups(const Stream& stream, std::span<const AffinePoint<Curve>> points, u32 first, u32* first_bad) {
  const u32 size = static_cast<u32>(points.size());
  check_each<Curve>
      <<<blocks_for(size, kThreads), kThreads, 0, stream.handle()>>>(points.data(), size, first, first_bad);
  check_launch("check_each");
}

template void check_subgroups<G1Curve>(const Stream&, std::span<const G1Affine>, u32, u32*);
template void check_subgroups<G2Curve>(const Stream&, std::span<const G2Affine>, u32, u32*);

}  // namespace cuzk::cuda
