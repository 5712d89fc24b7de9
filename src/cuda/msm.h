/// Multi-scalar multiplication on a device: the sum of scalars[i] * points[i], all of it in the device's memory.
///
/// Any input is right, as for msm/msm.h, whose results it equals. The call waits for the device and returns on the
/// host what remains: it may be made by one thread at a time for a queue. When the queue is to stop it throws
/// Error{cancelled} within some 50 ms of the device; what it enqueued may still run, see IdleAtEnd (stream.h).
/// Memory beyond the inputs, from queue.memory, in bytes: about 170 (G2: 290) for each scalar and window taken at once,
/// and 250 (450) for each bucket, 2^(bits-1) in every set of windows; Error{resource_exhausted} when it is not there. Not constant-time.
/// Method: Pippenger's buckets with signed digits. The digits of a group of windows are sorted by bucket; then the
/// points of each bucket are added in pairs, in rounds, all buckets side by side (add_pairs.cuh), which suits any
/// distribution of scalars: a bucket that holds every point takes more rounds, not more work.
/// Source: Bernstein, Doumen, Lange, Oosterwijk, "Faster batch forgery identification".
#pragma once

#include <span>

#include "cuda/device_scalars.h"
#include "cuda/queue.h"
#include "curve/g1.h"
#include "curve/g2.h"

namespace cuzk::cuda {

/// What a call depends on beside its input: for tests and measurements.
struct MsmTuning {
  unsigned window_bits;      ///< in [3, 26]
  unsigned windows_at_once;  ///< at most; at least 1. With multiples: sets of windows that share buckets
  unsigned multiples = 1;    ///< of each point that are at hand (point_multiples.h); at least 1
};

/// Digits that are sorted and added at once, at most, where memory is no concern.
inline constexpr std::size_t kMsmDigits = std::size_t{1} << 27;

/// What is chosen for so many scalars of which so many multiples are at hand: fewer windows, for fewer buckets are to be
/// added up where they share them.
MsmTuning multiples_tuning(const DeviceProperties& device, std::size_t scalars, unsigned multiples);

/// What is chosen on a device (tuning.h) for so many scalars, with at most so many digits at once or one window's.
MsmTuning msm_tuning(const DeviceProperties& device, std::size_t scalars, std::size_t digits = kMsmDigits);

/// As many scalars as points, fewer than 2^30, else Error{invalid_input} tells both numbers.
template <class Curve>
Point<Curve> multi_scalar_mul(const Queue& queue, std::span<const AffinePoint<Curve>> points,
                              const DeviceScalars& scalars);

/// The sum of scalars[i] * points[indices[i]]; indices, on the device too, are below points.size(), which is not
/// checked. Throws Error{invalid_input} as multi_scalar_mul_tuned does.
template <class Curve>
Point<Curve> multi_scalar_mul_indexed(const Queue& queue, std::span<const AffinePoint<Curve>> points,
                                      std::span<const u32> indices, const DeviceScalars& scalars,
                                      const MsmTuning& tuning);

/// The same as multi_scalar_mul, as the tuning says; with multiples there are so many times as many points. Also throws
/// Error{invalid_input} for a tuning outside its bounds, and for 2^30 points, or digits at once, or more.
template <class Curve>
Point<Curve> multi_scalar_mul_tuned(const Queue& queue, std::span<const AffinePoint<Curve>> points,
                                    const DeviceScalars& scalars, const MsmTuning& tuning);

extern template G1 multi_scalar_mul(const Queue&, std::span<const G1Affine>, const DeviceScalars&);
extern template G2 multi_scalar_mul(const Queue&, std::span<const G2Affine>, const DeviceScalars&);
extern template G1 multi_scalar_mul_indexed(const Queue&, std::span<const G1Affine>, std::span<const u32>,
                                            const DeviceScalars&, const MsmTuning&);
extern template G2 multi_scalar_mul_indexed(const Queue&, std::span<const G2Affine>, std::span<const u32>,
                                            const DeviceScalars&, const MsmTuning&);
extern template G1 multi_scalar_mul_tuned(const Queue&, std::span<const G1Affine>, const DeviceScalars&,
                                          const MsmTuning&);
extern template G2 multi_scalar_mul_tuned(const Queue&, std::span<const G2Affine>, const DeviceScalars&,
                                          const MsmTuning&);

}  // namespace cuzk::cuda
