/// Factors that are known beforehand, such as roots of unity: with the quotient by the modulus beside it, a product costs
/// about 90 multiply-adds of words where a Montgomery multiplication has 112.
///
/// Source: Harvey, "Faster arithmetic for number-theoretic transforms" (Journal of Symbolic Computation 60, 2014),
/// section 3, after Shoup.
#pragma once

#include "field/fr.h"

namespace cuzk::cuda {

/// value in [0, m) and floor(value * 2^256 / m).
struct ConstantFactor {
  Fr::Integer value, quotient;
};

/// Of a field element.
ConstantFactor constant_factor(const Fr& element);

}  // namespace cuzk::cuda
