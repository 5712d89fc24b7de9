/// Scalars of 128 bits that cost G1 half their doublings: low + high k, where multiplication by k is the endomorphism of
/// curve/subgroup.h. For random scalars, which need not be of a given form.
/// Source: Gallant, Lambert, Vanstone, "Faster Point Multiplication on Elliptic Curves with Efficient Endomorphisms"
/// (2001).
#pragma once

#include "curve/g1.h"
#include "field/fr.h"

namespace cuzk {

/// Different pairs are different scalars.
struct SplitScalar {
  u64 low = 0, high = 0;

  /// low - x^2 high.
  Fr to_fr() const;
};

/// The scalar times p, which is in the subgroup of order r; else the result means nothing.
G1 times(const G1Affine& p, const SplitScalar& scalar);

}  // namespace cuzk
