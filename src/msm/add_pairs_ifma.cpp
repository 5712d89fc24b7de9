// Scales. A stored coordinate is x 2^384, and a product of lanes divides by 2^416. A chain of products thus loses 2^32
// with every factor, which its inverse makes good: the inverse of a factor comes out with one constant scale, whatever
// its place. The constant below makes it 2^432. Then a slope is dy / dx 2^(384 + 432 - 416) = 2^400 times its value, its
// square 2^(800 - 416) = 2^384 times, as a coordinate should be; and the slope shifted by 16 bits times a coordinate is
// 2^(416 + 384 - 416) times its value, too. So no coordinate is ever converted.
#include <immintrin.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "field/batch_inverse.h"
#include "msm/add_pairs.h"
//
#include "field/ifma_begin.h"
//
#include "field/ifma_lanes.h"
//
#include "msm/coordinate_lanes.h"

namespace cuzk::msm {
namespace {

constexpr std::size_t kLanes = 8;
constexpr u64 kInverseScale = u64{1} << 48;

/// Eight pairs; past the end the last one is repeated.
template <class Curve>
class PairLanes {
 public:
  using Field = typename Curve::Field;
  using Coordinates = CoordinateLanes<Field>;

  PairLanes(std::span<const PairSum<Curve>> pairs, std::size_t block) {
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      pair_[lane] = pairs[std::min(block * kLanes + lane, pairs.size() - 1)];
  }

  Coordinates x_of(std::size_t operand) const {
    return Coordinates::load_from([&](std::size_t lane) { return &pair_[lane].left[operand].x; });
  }
  Coordinates y_of(std::size_t operand) const {
    return Coordinates::load_from([&](std::size_t lane) { return &pair_[lane].left[operand].y; });
  }
  void store_sum(const Coordinates& x, const Coordinates& y) const {
    x.store_to([&](std::size_t lane) { return &pair_[lane].sum->x; });
    y.store_to([&](std::size_t lane) { return &pair_[lane].sum->y; });
  }

 private:
  PairSum<Curve> pair_[kLanes];
};

/// The inverses of the lanes' products, times the constant that the header of this file explains.
template <class Field>
CoordinateLanes<Field> invert(const CoordinateLanes<Field>& products) {
  Field elements[kLanes];
  products.canonical().store_to([&](std::size_t lane) { return &elements[lane]; });
  batch_invert(std::span<Field>(elements));
  for (Field& element : elements) element = element * Fp::from_u64(kInverseScale);
  return CoordinateLanes<Field>::load_from([&](std::size_t lane) -> const Field* { return &elements[lane]; });
}

template <class Curve>
void add(const PairLanes<Curve>& pair, const CoordinateLanes<typename Curve::Field>& x0,
         const CoordinateLanes<typename Curve::Field>& x1, const CoordinateLanes<typename Curve::Field>& inverse) {
  const auto y0 = pair.y_of(0);
  const auto slope = pair.y_of(1).minus_canonical(y0) * inverse;
  const auto x = slope.squared().minus_canonical(x0).minus_canonical(x1).canonical();
  const auto y = (slope.template shifted_left<16>() * x0.minus_canonical(x)).minus_canonical(y0).canonical();
  pair.store_sum(x, y);
}

}  // namespace

template <class Curve>
void add_pairs_ifma(std::span<const PairSum<Curve>> pairs, PairScratch& scratch) {
  using Coordinates = CoordinateLanes<typename Curve::Field>;
  if (pairs.empty()) return;
  const std::size_t blocks = (pairs.size() + kLanes - 1) / kLanes;
  const std::span<Coordinates> products_before = scratch.as<Coordinates>(blocks);
  Coordinates product = Coordinates::all(Curve::Field::one());
  for (std::size_t block = 0; block < blocks; ++block) {
    const PairLanes<Curve> pair(pairs, block);
    products_before[block] = product;
    product = product * pair.x_of(1).minus_canonical(pair.x_of(0));
  }
  Coordinates inverse = invert(product);
  for (std::size_t block = blocks; block-- > 0;) {
    const PairLanes<Curve> pair(pairs, block);
    const Coordinates x0 = pair.x_of(0), x1 = pair.x_of(1);
    add(pair, x0, x1, inverse * products_before[block]);
    inverse = inverse * x1.minus_canonical(x0);
  }
}

template void add_pairs_ifma(std::span<const PairSum<G1Curve>>, PairScratch&);
template void add_pairs_ifma(std::span<const PairSum<G2Curve>>, PairScratch&);

}  // namespace cuzk::msm

#include "field/ifma_end.h"
