#include "curve/split_scalar.h"

#include <array>

#include "curve/subgroup.h"

namespace cuzk {
namespace {

constexpr unsigned kWindow = 4;

using Multiples = std::array<G1, 1 << kWindow>;

Multiples multiples_of(const G1Affine& p) {
  Multiples multiples;
  multiples[0] = G1::infinity();
  for (std::size_t i = 1; i < multiples.size(); ++i) multiples[i] = multiples[i - 1] + p;
  return multiples;
}

/// The endomorphism keeps y and z, and x times a constant.
Multiples images_of(const Multiples& points) {
  Multiples images = points;
  for (G1& image : images) image.x = endomorphism(G1Affine{image.x, image.y}).x;
  return images;
}

}  // namespace

Fr SplitScalar::to_fr() const {
  const Fr x = Fr::from_u64(kCurveX);
  return Fr::from_u64(low) - x.squared() * Fr::from_u64(high);
}

G1 times(const G1Affine& p, const SplitScalar& scalar) {
  const Multiples low = multiples_of(p), high = images_of(low);
  G1 sum = G1::infinity();
  for (unsigned place = 64; place > 0;) {
    place -= kWindow;
    for (unsigned i = 0; i < kWindow; ++i) sum = sum.doubled();
    sum += low[scalar.low >> place & 15];
    sum += high[scalar.high >> place & 15];
  }
  return sum;
}

}  // namespace cuzk
