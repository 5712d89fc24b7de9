/// The optimal ate pairing of BLS12-381.
///
/// Values are those of the usual reduced pairing raised to the third power, f^(3 (p^12 - 1) / r), as Filecoin's crates
/// have them: products and equality do not depend on that power. A pairing with infinity is 1. Points must be in their
/// subgroups; with others the value means nothing. Cost: a Miller loop about 0.3 ms, a final exponentiation about as
/// much; a product of pairings needs one of the latter.
#pragma once

#include <array>
#include <span>

#include "curve/g1.h"
#include "curve/g2.h"
#include "field/fp12.h"

namespace cuzk {

/// The subgroup of order r of Fp12.
using Gt = Fp12;

/// The lines of one point of G2, which do not depend on the point of G1: worth keeping for a verifying key.
class G2Prepared {
 public:
  explicit G2Prepared(const G2Affine& q);

  /// constant + slope x v + scale y v w at (x, y), up to a factor in Fp2 that the final exponentiation removes.
  struct Line {
    Fp2 constant, slope, scale;
  };
  static constexpr std::size_t kLines = 63 + 5;  ///< doublings and additions of |x|, 64 bits of which six are set

  bool is_infinity() const { return infinity_; }
  const Line& line(std::size_t i) const { return lines_[i]; }

 private:
  std::array<Line, kLines> lines_;
  bool infinity_;
};

/// One factor of a product of pairings; q is borrowed.
struct PairingTerm {
  G1Affine p;
  const G2Prepared* q;
};

/// The product of the terms' Miller loops, which share their squarings.
Fp12 miller_loop(std::span<const PairingTerm> terms);

/// f^(3 (p^12 - 1) / r); f is not zero.
Gt final_exponentiation(const Fp12& f);

Gt pairing(const G1Affine& p, const G2Affine& q);

}  // namespace cuzk
