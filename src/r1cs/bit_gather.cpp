#include "r1cs/bit_gather.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace cuzk::r1cs::detail {

u64 gather_bits_portable(u64 value, u64 mask) {
  u64 result = 0;
  for (u64 place = 1; mask != 0; mask &= mask - 1, place <<= 1) {
    if ((value & mask & -mask) != 0) result |= place;
  }
  return result;
}

namespace {

#ifdef __x86_64__
__attribute__((target("bmi2"))) u64 gather_bits_bmi2(u64 value, u64 mask) { return _pext_u64(value, mask); }

u64 (*choose())(u64, u64) { return __builtin_cpu_supports("bmi2") ? gather_bits_bmi2 : gather_bits_portable; }
#else
u64 (*choose())(u64, u64) { return gather_bits_portable; }
#endif

}  // namespace

u64 (*const gather_bits_chosen)(u64, u64) = choose();

}  // namespace cuzk::r1cs::detail
