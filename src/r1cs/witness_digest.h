/// Walks over all values of a witness, and their digest as the vectors have it.
#pragma once

#include "hash/element_hasher.h"
#include "r1cs/expansion.h"

namespace cuzk::r1cs {

/// Calls visit(value) for each auxiliary variable in order, bits as 0 or 1 of the field.
template <class Visit>
void for_each_aux(const Witness& witness, Visit&& visit) {
  for_each_plain_part(witness, [&](const Witness& part) {
    const BitSpan bits = part.bits();
    for (const Segment& segment : part.segments()) {
      if (segment.kind == Segment::Kind::elements) {
        for (const Fr& value : part.elements().subspan(segment.start, segment.count)) visit(value);
      } else {
        for (u32 i = 0; i < segment.count; ++i) visit(bits[segment.start + i] ? Fr::one() : Fr::zero());
      }
    }
  });
}

/// SHA-256 of ONE, the public inputs and the auxiliary variables: seconds for 130 million.
inline Digest digest(const Witness& witness) {
  ElementHasher hasher;
  hasher.add(witness.inputs());
  for_each_aux(witness, [&](const Fr& value) { hasher.add(value); });
  return hasher.finish();
}

}  // namespace cuzk::r1cs
