#include "hash/grain.h"

namespace cuzk {

namespace {

constexpr unsigned kFieldBits = 255;

/// Puts fields of given lengths one behind the other, each from its most significant bit.
class SeedWriter {
 public:
  SeedWriter& put(unsigned length, u64 value) {
    for (unsigned i = length; i-- > 0;) seed_ |= static_cast<u128>((value >> i) & 1) << place_++;
    return *this;
  }
  u128 seed() const { return seed_; }

 private:
  u128 seed_ = 0;
  unsigned place_ = 0;
};

}  // namespace

Grain::Grain(std::size_t width, std::size_t full_rounds, std::size_t partial_rounds) {
  constexpr u64 prime_field = 1, inverse_free_s_box = 1;
  state_ = SeedWriter()
               .put(2, prime_field)
               .put(4, inverse_free_s_box)
               .put(12, kFieldBits)
               .put(12, width)
               .put(10, full_rounds)
               .put(10, partial_rounds)
               .put(30, (u64{1} << 30) - 1)
               .seed();
  for (int discarded = 0; discarded < 160; discarded += 16) sixteen_bits();
}

Fr Grain::next() {
  for (;;) {
    Limbs<4> value{};
    for (unsigned i = kFieldBits; i-- > 0;) value[i / 64] |= next_bit() << (i % 64);
    if (less(value, Fr::kModulus)) return Fr::from_integer_unchecked(value);
  }
}

u32 Grain::sixteen_bits() {
  const u128 taps = state_ >> 62 ^ state_ >> 51 ^ state_ >> 38 ^ state_ >> 23 ^ state_ >> 13 ^ state_;
  const u32 bits = static_cast<u32>(taps) & 0xffff;
  state_ = state_ >> 16 | static_cast<u128>(bits) << 64;
  return bits;
}

u64 Grain::next_bit() {
  for (;;) {
    if (pairs_left_ == 0) {
      pairs_ = sixteen_bits();
      pairs_left_ = 8;
    }
    const u32 pair = pairs_ & 3;
    pairs_ >>= 2;
    --pairs_left_;
    if ((pair & 1) != 0) return pair >> 1;
  }
}

}  // namespace cuzk
