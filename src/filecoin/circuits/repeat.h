/// Parts of a circuit that are alike: challenges, sectors.
#pragma once

#include "r1cs/compiler.h"
#include "r1cs/witness_builder.h"

namespace cuzk::filecoin {

/// Calls part(0), part(1) ... part(count - 1).
template <class Part>
void repeat(r1cs::Compiler&, std::size_t count, Part&& part) {
  for (std::size_t i = 0; i < count; ++i) part(i);
}

/// The same, until the witness is not wanted any more: then Error{cancelled}. Takes memory for all parts once it has seen the first, so that a witness is never copied while it grows.
template <class Part>
void repeat(r1cs::WitnessBuilder& builder, std::size_t count, Part&& part) {
  using Size = r1cs::Witness::Size;
  const Size before = builder.witness().size();
  for (std::size_t i = 0; i < count; ++i) {
    builder.check_stop();
    part(i);
    if (i > 0) continue;
    const Size after = builder.witness().size();
    const auto total = [&](std::size_t Size::*kind) { return before.*kind + count * (after.*kind - before.*kind); };
    builder.witness().reserve({total(&Size::inputs), total(&Size::bits), total(&Size::elements),
                               total(&Size::hash_inputs), total(&Size::segments)});
  }
}

}  // namespace cuzk::filecoin
