#include "msm/add_pairs.h"

#include <algorithm>

namespace cuzk::msm {
namespace {

/// Below this many, the lanes' conversions do not pay.
constexpr std::size_t kFewPairs = 4;

/// What the sum's slope is divided by: 1 where no slope is needed.
template <class Curve>
typename Curve::Field denominator(const AffinePoint<Curve>& p, const AffinePoint<Curve>& q) {
  using Field = typename Curve::Field;
  if (p.is_infinity() || q.is_infinity()) return Field::one();
  const Field dx = q.x - p.x;
  if (!dx.is_zero()) return dx;
  return p.y == q.y && !p.y.is_zero() ? p.y.doubled() : Field::one();
}

/// p + q, given the inverse of the denominator.
template <class Curve>
AffinePoint<Curve> add(const AffinePoint<Curve>& p, const AffinePoint<Curve>& q, const typename Curve::Field& inverse) {
  using Field = typename Curve::Field;
  if (p.is_infinity()) return q;
  if (q.is_infinity()) return p;
  Field numerator = q.y - p.y;
  if (p.x == q.x) {
    if (!numerator.is_zero() || p.y.is_zero()) return AffinePoint<Curve>::infinity();
    const Field square = p.x.squared();
    numerator = square.doubled() + square;
  }
  const Field slope = numerator * inverse;
  const Field x = slope.squared() - p.x - q.x;
  return {x, slope * (p.x - x) - p.y};
}

/// Neither operand is infinity, and they are neither equal nor opposite: one formula serves.
template <class Curve>
bool is_plain(const PairSum<Curve>& pair) {
  const auto& p = pair.left[0];
  const auto& q = pair.left[1];
  return !(p.x == q.x) && !p.x.is_zero() && !q.x.is_zero();
}

}  // namespace

template <class Curve>
void add_pairs_portable(std::span<const PairSum<Curve>> pairs, PairScratch& scratch) {
  using Field = typename Curve::Field;
  if (pairs.empty()) return;
  const std::span<Field> products_before = scratch.as<Field>(pairs.size());
  Field product = Field::one();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    products_before[i] = product;
    product *= denominator(pairs[i].left[0], pairs[i].left[1]);
  }
  Field inverse = product.inverse();
  for (std::size_t i = pairs.size(); i-- > 0;) {
    const auto& [left, sum] = pairs[i];
    const Field next_inverse = inverse * denominator(left[0], left[1]);
    *sum = add(left[0], left[1], inverse * products_before[i]);
    inverse = next_inverse;
  }
}

template <class Curve>
void add_pairs(std::span<PairSum<Curve>> pairs, PairScratch& scratch, Kernels kernels) {
  if (kernels != Kernels::ifma || pairs.size() < kFewPairs) return add_pairs_portable<Curve>(pairs, scratch);
  const auto special = std::partition(pairs.begin(), pairs.end(), is_plain<Curve>);
  add_pairs_ifma<Curve>({pairs.begin(), special}, scratch);
  add_pairs_portable<Curve>({special, pairs.end()}, scratch);
}

template void add_pairs(std::span<PairSum<G1Curve>>, PairScratch&, Kernels);
template void add_pairs(std::span<PairSum<G2Curve>>, PairScratch&, Kernels);
template void add_pairs_portable(std::span<const PairSum<G1Curve>>, PairScratch&);
template void add_pairs_portable(std::span<const PairSum<G2Curve>>, PairScratch&);

}  // namespace cuzk::msm
