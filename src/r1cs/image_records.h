/// How a template lies in an image: ranges of the image's arrays. Known to the writer and the reader only.
#pragma once

#include "r1cs/circuit_image.h"

namespace cuzk::r1cs {

struct TemplateRecord {
  struct Rows {
    u32 first_start, first_term, terms;  // starts are counted from the first term
  };

  TextRange gadget;
  u32 externals, own, constraints;
  u32 first_coefficient, coefficients;
  u32 first_allocated;
  u32 first_mark, marks;
  std::array<Rows, 3> rows;  // a, b, c
};

inline constexpr std::size_t kSectionAlignment = 64;

}  // namespace cuzk::r1cs
