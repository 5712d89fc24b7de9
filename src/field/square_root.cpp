#include "field/square_root.h"

namespace cuzk {
namespace {

/// (p - 3) / 4: x^this is 1 / sqrt(x) for a square x, and 1 / sqrt(-x) up to sign otherwise.
constexpr Limbs<6> kInverseRootPower{{0xee7fbfffffffeaaa, 0x07aaffffac54ffff, 0xd9cc34a83dac3d89, 0xd91dd2e13ce144af,
                                      0x92c6e9ed90d2eb35, 0x0680447a8e5ff9a6}};
/// ((r - 1) / 2^32 - 1) / 2
constexpr Limbs<4> kFrOddPower{{0x7fff2dff7fffffff, 0x04d0ec02a9ded201, 0x94cebea4199cec04, 0x0000000039f6d3a9}};

/// The number of squarings that take x to 1; x has order 2^k with k at most `limit`, else the answer is `limit`.
unsigned squarings_to_one(Fr x, unsigned limit) {
  unsigned count = 0;
  while (count < limit && !x.is_one()) {
    x = x.squared();
    ++count;
  }
  return count;
}

Fr squared_times(Fr x, unsigned count) {
  while (count-- > 0) x = x.squared();
  return x;
}

}  // namespace

std::optional<Fp> square_root(const Fp& element) {
  const Fp root = element.pow(kInverseRootPower) * element;
  if (root.squared() != element) return std::nullopt;
  return root;
}

std::optional<Fr> square_root(const Fr& element) {
  if (element.is_zero()) return element;
  const Fr power = element.pow(kFrOddPower);
  Fr root = power * element;
  Fr excess = root * power;  // root^2 = element * excess
  Fr generator = fr_root_of_unity();
  for (unsigned order = kFrTwoAdicity; !excess.is_one();) {
    const unsigned excess_order = squarings_to_one(excess, order);
    if (excess_order == order) return std::nullopt;
    const Fr correction = squared_times(generator, order - excess_order - 1);
    generator = correction.squared();
    excess *= generator;
    root *= correction;
    order = excess_order;
  }
  return root;
}

std::optional<Fp2> square_root(const Fp2& element) {
  const auto norm_root = square_root(element.norm());
  if (!norm_root) return std::nullopt;
  const Fp twice = element.c0 + *norm_root;
  if (twice.is_zero()) {  // element is in Fp and no square there
    const auto root = square_root(-element.c0);
    return Fp2{Fp::zero(), -*root};
  }
  constexpr Fp half = Fp::from_u64(2).inverse();
  const Fp t = twice * half;
  const Fp inverse_root = t.pow(kInverseRootPower);
  const Fp first = t * inverse_root, second = element.c1 * half * inverse_root;
  // When t is no square then first^2 = -t, and (c0 - sqrt(norm)) / 2 = second^2.
  const Fp2 root = first.squared() == t ? Fp2{first, second} : Fp2{-second, first};
  if (root.squared() != element) return std::nullopt;
  return root;
}

}  // namespace cuzk
