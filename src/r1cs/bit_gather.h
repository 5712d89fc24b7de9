/// Gathering of bits under a mask, with the processor's PEXT where it has it.
#pragma once

#include "base/types.h"

namespace cuzk::r1cs {

namespace detail {
u64 gather_bits_portable(u64 value, u64 mask);
extern u64 (*const gather_bits_chosen)(u64 value, u64 mask);
}  // namespace detail

/// The bits of value where mask is 1, moved together at the low end in order.
inline u64 gather_bits(u64 value, u64 mask) {
  return mask == ~u64{0} ? value : detail::gather_bits_chosen(value, mask);
}

}  // namespace cuzk::r1cs
