/// Points to compute with, the same in every run: of `cuzk-bench` and of the programs in bench/.
#pragma once

#include <vector>

#include "curve/normalize.h"
#include "curve/point.h"
#include "field_inputs.h"

namespace cuzk::apps {

/// From one of points_of() to the next.
template <class Affine>
Affine point_step() {
  return (Affine::generator() * Fr::from_u64(12345)).to_affine();
}

/// Different points: g, g + d, g + 2 d, ...
template <class Affine>
std::vector<Affine> points_of(std::size_t count) {
  using P = Point<typename Affine::Curve>;
  const Affine step = point_step<Affine>();
  std::vector<P> points;
  points.reserve(count);
  for (P p = Affine::generator(); points.size() < count; p += step) points.push_back(p);
  return normalize(points);
}

}  // namespace cuzk::apps
