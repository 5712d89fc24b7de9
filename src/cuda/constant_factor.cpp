#include "cuda/constant_factor.h"

namespace cuzk::cuda {
namespace {

using Integer = Fr::Integer;

/// x y mod 2^256.
constexpr Integer low_product(const Integer& x, const Integer& y) {
  Integer product{};
  for (std::size_t i = 0; i < 4; ++i) {
    u64 carry = 0;
    for (std::size_t j = 0; i + j < 4; ++j) product[i + j] = multiply_add(product[i + j], x[i], y[j], carry);
  }
  return product;
}

/// -1 / m mod 2^256: each step of Newton's doubles the bits that are right.
constexpr Integer negated_inverse() {
  Integer inverse{{1}};
  for (int bits = 1; bits < 256; bits *= 2) {
    Integer correction{{2}};
    sub_in_place(correction, low_product(Fr::kModulus, inverse));
    inverse = low_product(inverse, correction);
  }
  Integer negated{};
  sub_in_place(negated, inverse);
  return negated;
}

}  // namespace

ConstantFactor constant_factor(const Fr& element) {
  // value 2^256 = quotient m + (value 2^256 mod m), and the last is the Montgomery form: modulo 2^256 it is -quotient m.
  static constexpr Integer kNegatedInverse = negated_inverse();
  return {element.to_integer(), low_product(element.montgomery_form(), kNegatedInverse)};
}

}  // namespace cuzk::cuda
