/// Multi-scalar multiplication: the sum of scalars[i] * points[i], on G1 and G2.
///
/// Any input is right: no points at all, zero scalars (which cost nothing), ones, r - 1, repeated and opposite points,
/// infinity with any scalar (the Rust crates refuse a point at infinity whose scalar is not 0; here it adds nothing).
/// Scalars are elements of Fr as they lie in memory; points are not checked to be on the curve.
/// Memory beyond the inputs does not grow with them: at most about 40 MiB and, per thread, 32 MiB (twice that for G2).
/// Threads: the pool given; the point that results never depends on them. Nothing is constant-time. A pool that is stopped
/// (ThreadPool::until) ends every sum of this room with Error{cancelled} within some 2^14 additions.
/// Method: Pippenger's buckets with signed digits; the points of a window are sorted by bucket and added in pairs by
/// RunSums, and so are the buckets themselves.
/// Source: Bernstein, Doumen, Lange, Oosterwijk, "Faster batch forgery identification".
#pragma once

#include <span>

#include "base/thread_pool.h"
#include "curve/g1.h"
#include "curve/g2.h"

namespace cuzk::msm {

/// As many points as scalars, else Error{invalid_input} tells both numbers.
template <class Curve>
Point<Curve> multi_scalar_mul(std::span<const AffinePoint<Curve>> points, std::span<const Fr> scalars,
                              ThreadPool& pool);

/// The sum of scalars[i] * points[indices[i]]: for scalars that meet few of a key's points. As many indices as scalars,
/// each below points.size(), else Error{invalid_input}.
template <class Curve>
Point<Curve> multi_scalar_mul_indexed(std::span<const AffinePoint<Curve>> points, std::span<const u32> indices,
                                      std::span<const Fr> scalars, ThreadPool& pool);

/// As multi_scalar_mul with windows of `bits` bits, in [3, 16]; for tests and measurements.
template <class Curve>
Point<Curve> multi_scalar_mul_windowed(std::span<const AffinePoint<Curve>> points, std::span<const Fr> scalars,
                                       unsigned bits, ThreadPool& pool);

/// The windows' width that is taken for so many scalars.
unsigned window_bits(std::size_t scalars);

extern template G1 multi_scalar_mul(std::span<const G1Affine>, std::span<const Fr>, ThreadPool&);
extern template G2 multi_scalar_mul(std::span<const G2Affine>, std::span<const Fr>, ThreadPool&);
extern template G1 multi_scalar_mul_indexed(std::span<const G1Affine>, std::span<const u32>, std::span<const Fr>,
                                            ThreadPool&);
extern template G2 multi_scalar_mul_indexed(std::span<const G2Affine>, std::span<const u32>, std::span<const Fr>,
                                            ThreadPool&);
extern template G1 multi_scalar_mul_windowed(std::span<const G1Affine>, std::span<const Fr>, unsigned, ThreadPool&);
extern template G2 multi_scalar_mul_windowed(std::span<const G2Affine>, std::span<const Fr>, unsigned, ThreadPool&);

}  // namespace cuzk::msm
