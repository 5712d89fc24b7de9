/// Fr: the scalar field of BLS12-381, in which circuits and witnesses live. 2-adicity 32.
#pragma once

#include "field/prime_field.h"

namespace cuzk {

struct FrParams {
  static constexpr std::size_t kLimbs = 4;
  static constexpr Limbs<4> kModulus{{0xffffffff00000001, 0x53bda402fffe5bfe, 0x3339d80809a1d805, 0x73eda753299d7d48}};
  static constexpr Limbs<4> kOne{{0x00000001fffffffe, 0x5884b7fa00034802, 0x998c4fefecbc4ff5, 0x1824b159acc5056f}};
  static constexpr Limbs<4> kR2{{0xc999e990f3f29c6d, 0x2b6cedcb87925c23, 0x05d314967254398f, 0x0748d9d99f59ff11}};
  static constexpr u64 kInverse = 0xfffffffeffffffff;
};

using Fr = PrimeField<FrParams>;

/// The modulus is 1 modulo 2^kFrTwoAdicity.
inline constexpr unsigned kFrTwoAdicity = 32;

/// Generates the multiplicative group; the shift of the coset that Filecoin's prover uses.
inline constexpr u64 kFrGenerator = 7;

/// 7^((r - 1) / 2^32): of order 2^32, the root that every evaluation domain's root derives from.
CUZK_HD constexpr Fr fr_root_of_unity() {
  return Fr::from_integer_unchecked(
      Limbs<4>{{0x3829971f439f0d2b, 0xb63683508c2280b9, 0xd09b681922c813b4, 0x16a2a19edfe81f20}});
}

}  // namespace cuzk
