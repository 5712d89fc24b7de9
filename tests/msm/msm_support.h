/// Sums by the definition, and what the suites over both groups share.
#pragma once

#include <gtest/gtest.h>

#include <span>
#include <vector>

#include "curve/g1.h"
#include "curve/g2.h"
#include "support/random_points.h"

namespace cuzk::test {

/// By doubling and adding, one scalar after the other.
template <class Affine>
Point<typename Affine::Curve> naive_sum(const std::vector<Affine>& points, const std::vector<Fr>& scalars) {
  auto sum = Point<typename Affine::Curve>::infinity();
  for (std::size_t i = 0; i < points.size(); ++i) sum += points[i] * scalars[i];
  return sum;
}

using Groups = testing::Types<G1Affine, G2Affine>;

struct GroupNames {
  template <class Affine>
  static std::string GetName(int) {
    return std::is_same_v<Affine, G1Affine> ? "G1" : "G2";
  }
};

}  // namespace cuzk::test
