/// The Grain LFSR in self-shrinking mode, from which Poseidon's round constants come (Poseidon paper, Appendix A; Hell,
/// Johansson, Meier, "Grain: a stream cipher for constrained environments", 2007).
#pragma once

#include "field/fr.h"

namespace cuzk {

class Grain {
 public:
  /// For Fr (255 bits, prime) and the S-box x^5.
  Grain(std::size_t width, std::size_t full_rounds, std::size_t partial_rounds);

  /// The next 255 bits, most significant first, that are below the modulus.
  Fr next();

 private:
  /// b[i + 80] = b[i + 62] + b[i + 51] + b[i + 38] + b[i + 23] + b[i + 13] + b[i]. The nearest tap is 18 bits away, so
  /// that 16 steps are one. The earliest bit is the lowest.
  u32 sixteen_bits();

  /// Of each pair of bits, the second where the first is 1.
  u64 next_bit();

  u128 state_ = 0;
  u32 pairs_ = 0;
  unsigned pairs_left_ = 0;
};

}  // namespace cuzk
