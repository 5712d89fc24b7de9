/// Number-theoretic transforms over Fr in device memory: what poly/domain.h does, to the bit.
///
/// Order: natural in, natural out. Memory: the tables of a domain (40 MiB, of both directions) and, while a transform is
/// enqueued, one buffer of its size, which becomes that of the results. Enqueues only; nothing waits for the device.
/// Method: up to 512 points at a time are transformed in shared memory, by radix 8 in registers; 2^27 takes three passes
/// over the memory. Factors of a coset and 1/n ride on the first and the last pass.
/// Source: Govindaraju, Lloyd, Dotsenko, Smith, Manferdelli, "High Performance Discrete Fourier Transforms on Graphics
/// Processors" (SC 2008): Stockham's form, within a block and between blocks.
#pragma once

#include "cuda/constant_factor.h"
#include "cuda/device_buffer.h"
#include "cuda/queue.h"
#include "field/fr.h"

namespace cuzk::cuda {

/// The powers of one element: its i-th power is low[i mod 2^14] * high[i / 2^14].
struct PowerTable {
  static constexpr unsigned kLog2Low = 14;

  const ConstantFactor* low = nullptr;
  const ConstantFactor* high = nullptr;
};

/// The roots of one direction, on the device.
struct NttRoots {
  static constexpr unsigned kLog2Block = 9;
  static constexpr unsigned kLog2Near = 18;

  const ConstantFactor* block = nullptr;  ///< powers of the root of order 2^9
  const ConstantFactor* near = nullptr;   ///< powers of the root of order 2^min(18, k)
  PowerTable all;                         ///< powers of the root of order 2^k
  ConstantFactor eighth[3];               ///< the first three powers of the root of order 8
};

struct NttScaling;

class NttDomain {
 public:
  static constexpr unsigned kMaxLog2 = 28;

  /// Makes the tables on the host, in some milliseconds, and copies them. k in [0, 28]; throws Error{invalid_input} above.
  NttDomain(const Queue& queue, unsigned k);

  std::size_t size() const { return std::size_t{1} << k_; }

  // Each takes size() values, else Error{invalid_input} tells both numbers. The buffer's memory changes.
  void forward(DeviceBuffer<Fr>& values);        ///< coefficients -> values on the domain
  void inverse(DeviceBuffer<Fr>& values);        ///< values -> coefficients
  void coset_forward(DeviceBuffer<Fr>& values);  ///< coefficients -> values on the coset of 7
  void coset_inverse(DeviceBuffer<Fr>& values);  ///< values on the coset -> coefficients
  /// values on the domain -> values on the coset: inverse and coset_forward, with a multiplication less.
  void shift_to_coset(DeviceBuffer<Fr>& values);

 private:
  struct Direction {
    DeviceBuffer<ConstantFactor> block, near, low, high;
    DeviceBuffer<ConstantFactor> coset_low, coset_high;  ///< powers of 7, or of 1/7 with the factor 1/n in them
    Fr eighth;                                           ///< the root of order 8

    NttRoots roots() const;
    PowerTable coset() const { return {coset_low.data(), coset_high.data()}; }
    const ConstantFactor* scale() const { return coset_high.data(); }  ///< 1/n, the first power with its factor
  };

  Direction make_direction(const Fr& root, const Fr& block_root, const Fr& coset, const Fr& scale) const;
  void check_size(const DeviceBuffer<Fr>& values) const;
  void run(const Direction& direction, const NttScaling& before, const NttScaling& after, DeviceBuffer<Fr>& values);

  const Queue& queue_;
  unsigned k_;
  Direction forward_, inverse_;
  DeviceBuffer<ConstantFactor> scaled_coset_high_;  ///< forward_.coset_high with the factor 1/n
};

}  // namespace cuzk::cuda
