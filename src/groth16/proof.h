/// A Groth16 proof and its 192 bytes: A (G1, 48) || B (G2, 96) || C (G1, 48), compressed, big-endian.
///
/// A proof of several partitions is the concatenation of its partitions' proofs.
/// Source: Groth, "On the Size of Pairing-based Non-interactive Arguments", 2016.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "base/types.h"
#include "curve/g1.h"
#include "curve/g2.h"

namespace cuzk::groth16 {

struct Proof {
  static constexpr std::size_t kBytes = 192;
  using Bytes = std::array<u8, kBytes>;

  G1Affine a;
  G2Affine b;
  G1Affine c;

  /// Every check is made: the length, flags, canonical coordinates, the curve, the subgroup of order r; infinity is
  /// refused. Throws Error{invalid_input} naming A, B or C and what is wrong with it.
  static Proof from_bytes(std::span<const u8> bytes);

  Bytes to_bytes() const;

  friend bool operator==(const Proof& x, const Proof& y) { return x.a == y.a && x.b == y.b && x.c == y.c; }
};

/// Splits and reads a concatenation, with every check of Proof::from_bytes. Throws Error{invalid_input} naming the
/// partition; an empty input or one that is no multiple of 192 bytes is refused.
std::vector<Proof> proofs_from_bytes(std::span<const u8> bytes);

/// The concatenation, in the order given.
std::vector<u8> proofs_to_bytes(std::span<const Proof> proofs);

}  // namespace cuzk::groth16
