/// The random numbers of the graph: the keystream of ChaCha with 8 rounds (Bernstein, "ChaCha, a variant of Salsa20",
/// 2008), a counter of 64 bits from 0, nonce 0.
#pragma once

#include <array>
#include <bit>
#include <span>

#include "base/types.h"

namespace cuzk::filecoin {

class ChaCha8 {
 public:
  explicit ChaCha8(std::span<const u8, 32> key) {
    state_ = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
    for (std::size_t i = 0; i < 32; ++i) state_[4 + i / 4] |= static_cast<u32>(key[i]) << (8 * (i % 4));
  }

  /// The next eight bytes, little-endian.
  u64 next_u64() {
    if (used_ == block_.size()) make_block();
    const u64 low = block_[used_], high = block_[used_ + 1];
    used_ += 2;
    return high << 32 | low;
  }

 private:
  void make_block() {
    block_ = state_;
    for (int round = 0; round < 4; ++round) {
      for (std::size_t i = 0; i < 4; ++i) quarter(i, 4 + i, 8 + i, 12 + i);
      for (std::size_t i = 0; i < 4; ++i) quarter(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
    }
    for (std::size_t i = 0; i < block_.size(); ++i) block_[i] += state_[i];
    if (++state_[12] == 0) ++state_[13];
    used_ = 0;
  }

  void quarter(std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
    mix(a, b, d, 16);
    mix(c, d, b, 12);
    mix(a, b, d, 8);
    mix(c, d, b, 7);
  }

  void mix(std::size_t x, std::size_t y, std::size_t z, int bits) {
    block_[x] += block_[y];
    block_[z] = std::rotl(block_[z] ^ block_[x], bits);
  }

  std::array<u32, 16> state_{}, block_{};
  std::size_t used_ = 16;
};

}  // namespace cuzk::filecoin
