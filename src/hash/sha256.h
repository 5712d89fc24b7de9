/// SHA-256 (FIPS 180-4): whole messages, growing messages, nodes of binary Merkle trees, and the bare compression that
/// circuits need.
///
/// The compression is chosen once per process: the processor's SHA extensions where it has them, else portable code;
/// CUZK_CPU (field/kernels.h) may force the latter. Both give the same bytes. Everything here may be
/// called from any thread; one Sha256 belongs to one thread at a time.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "base/types.h"

namespace cuzk {

/// The 32 bytes of a SHA-256 digest, or of a tree node.
using Digest = std::array<u8, 32>;

/// The eight words a..h between two blocks.
using Sha256State = std::array<u32, 8>;

inline constexpr std::size_t kSha256Block = 64;  ///< bytes

/// The state before the first block.
inline constexpr Sha256State kSha256Initial{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                            0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

/// The constants added in the 64 rounds.
extern const std::array<u32, 64> kSha256Rounds;

/// Takes a number of whole blocks into the state; `blocks.size()` must be a multiple of 64.
void sha256_compress(Sha256State& state, std::span<const u8> blocks);

/// The implementation in use: "sha_ni" or "portable".
std::string_view sha256_implementation();

/// A message that arrives in pieces.
class Sha256 {
 public:
  Sha256& update(std::span<const u8> bytes);

  /// The digest of all bytes so far. The object must not be used afterwards.
  Digest finish();

 private:
  Sha256State state_ = kSha256Initial;
  std::array<u8, kSha256Block> pending_;
  u64 length_ = 0;  // in bytes; its last part of a block waits in pending_
};

Digest sha256(std::span<const u8> message);

/// A digest as a field element's bytes: the two top bits of the last byte are cleared.
Digest clear_top_bits(Digest digest);

/// A tree node over two nodes of 32 bytes: clear_top_bits(SHA-256(left || right)).
Digest sha256_node(std::span<const u8, 32> left, std::span<const u8, 32> right);

namespace detail {
/// One implementation each, for differential tests; sha_ni may only be called where has_sha_extensions().
void sha256_compress_portable(Sha256State& state, std::span<const u8> blocks);
void sha256_compress_sha_ni(Sha256State& state, std::span<const u8> blocks);
}  // namespace detail

}  // namespace cuzk
