/// Seeded points of G1 and G2 for tests and benchmarks: the same on every run, all in the subgroup.
#pragma once

#include "curve/normalize.h"
#include "support/random.h"

namespace cuzk::test {

/// Affine: G1Affine or G2Affine.
template <class Affine>
Affine random_point(Random& random) {
  return (Affine::generator() * random_field<Fr>(random)).to_affine();
}

/// count distinct points, p + i d for random p and d: one addition each, so that a million are quick.
template <class Affine>
std::vector<Affine> random_points(std::size_t count, Random& random) {
  using Curve = typename Affine::Curve;
  const Affine step = random_point<Affine>(random);
  std::vector<Point<Curve>> points;
  points.reserve(count);
  for (Point<Curve> p = random_point<Affine>(random); points.size() < count; p += step) points.push_back(p);
  return normalize(points);
}

}  // namespace cuzk::test
