/// Many inverses for the price of one and three multiplications each (Montgomery's trick).
#pragma once

#include <span>
#include <vector>

namespace cuzk {

/// Replaces every element by its inverse; zeros stay zero. Takes memory for as many elements.
template <class Field>
void batch_invert(std::span<Field> elements) {
  std::vector<Field> products_before(elements.size());
  Field product = Field::one();
  for (std::size_t i = 0; i < elements.size(); ++i) {
    products_before[i] = product;
    if (!elements[i].is_zero()) product *= elements[i];
  }
  Field inverse = product.inverse();
  for (std::size_t i = elements.size(); i-- > 0;) {
    if (elements[i].is_zero()) continue;
    const Field element = elements[i];
    elements[i] = inverse * products_before[i];
    inverse *= element;
  }
}

}  // namespace cuzk
