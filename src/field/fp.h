/// Fp: the base field of BLS12-381, in which the coordinates of G1 live.
#pragma once

#include "field/prime_field.h"

namespace cuzk {

struct FpParams {
  static constexpr std::size_t kLimbs = 6;
  static constexpr Limbs<6> kModulus{{0xb9feffffffffaaab, 0x1eabfffeb153ffff, 0x6730d2a0f6b0f624, 0x64774b84f38512bf,
                                      0x4b1ba7b6434bacd7, 0x1a0111ea397fe69a}};
  static constexpr Limbs<6> kOne{{0x760900000002fffd, 0xebf4000bc40c0002, 0x5f48985753c758ba, 0x77ce585370525745,
                                  0x5c071a97a256ec6d, 0x15f65ec3fa80e493}};
  static constexpr Limbs<6> kR2{{0xf4df1f341c341746, 0x0a76e6a609d104f1, 0x8de5476c4c95b6d5, 0x67eb88a9939d83c0,
                                 0x9a793e85b519952d, 0x11988fe592cae3aa}};
  static constexpr u64 kInverse = 0x89f3fffcfffcfffd;
};

using Fp = PrimeField<FpParams>;

}  // namespace cuzk
