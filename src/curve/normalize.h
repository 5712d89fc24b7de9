/// Many Jacobian points to affine ones with a single inversion.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "curve/point.h"
#include "field/batch_inverse.h"

namespace cuzk {

/// affine[i] = points[i]; both spans have one length. Works in blocks, so that it takes little memory.
template <class Curve>
void normalize(std::span<const Point<Curve>> points, std::span<AffinePoint<Curve>> affine) {
  constexpr std::size_t kBlock = 1024;
  std::vector<typename Curve::Field> inverses;
  for (std::size_t begin = 0; begin < points.size(); begin += kBlock) {
    const auto block = points.subspan(begin, std::min(kBlock, points.size() - begin));
    inverses.clear();
    for (const auto& p : block) inverses.push_back(p.z);
    batch_invert(std::span(inverses));
    for (std::size_t i = 0; i < block.size(); ++i) affine[begin + i] = block[i].scaled_by(inverses[i]);
  }
}

template <class Curve>
std::vector<AffinePoint<Curve>> normalize(const std::vector<Point<Curve>>& points) {
  std::vector<AffinePoint<Curve>> affine(points.size());
  normalize(std::span(points), std::span(affine));
  return affine;
}

}  // namespace cuzk
