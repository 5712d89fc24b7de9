/// Zcash's encodings of points, the form of keys and proofs.
///
/// Coordinates are big-endian and canonical; an element of Fp2 is c1 || c0. Compressed is x; uncompressed is x || y.
/// The three top bits of the first byte are flags: compressed; infinity (all other bits are then 0); and, in a
/// compressed point, y is the larger of the two roots (as an integer; c1 decides before c0).
///
/// Every decoder checks the flags, that coordinates are below p, the form of infinity, and that the point is on the
/// curve. The plain decoders check the subgroup as well; the `_unchecked` ones do not, and are for keys whose digest is
/// trusted. They are strict: an uncompressed encoding with the compression flag is refused (the crates read its first
/// half). As in the crates, a compressed x = 0 is refused always: both of its points have order 3. A decoder takes no
/// memory and is safe on any bytes and from any thread.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "curve/g1.h"
#include "curve/g2.h"

namespace cuzk {

template <class Affine>
inline constexpr std::size_t kCompressedBytes = Affine::Field::kBytes;
template <class Affine>
inline constexpr std::size_t kUncompressedBytes = 2 * Affine::Field::kBytes;

enum class EncodingFault : u8 {
  none,
  compression_flag_missing,  ///< a compressed point without its flag
  compression_flag_set,      ///< an uncompressed point with it
  sign_flag_set,             ///< on infinity or an uncompressed point
  infinity_not_zero,         ///< the infinity flag with other bits set
  not_canonical,             ///< a coordinate is not below p
  not_on_curve,
  not_in_subgroup,
};

/// A phrase for a message, such as "is not on the curve".
std::string_view describe(EncodingFault fault);

/// A point, or why there is none.
template <class Affine>
struct Decoded {
  Affine point;  ///< infinity when there is a fault
  EncodingFault fault = EncodingFault::none;

  bool ok() const { return fault == EncodingFault::none; }
  /// The point; throws Error{invalid_input} with `name` (such as "key.vk: alpha_g1") and the fault.
  Affine value_or_throw(std::string_view name) const;
};

template <class Affine>
std::array<u8, kCompressedBytes<Affine>> to_compressed(const Affine& point);
template <class Affine>
std::array<u8, kUncompressedBytes<Affine>> to_uncompressed(const Affine& point);

template <class Affine>
Decoded<Affine> from_compressed(std::span<const u8, kCompressedBytes<Affine>> bytes);
template <class Affine>
Decoded<Affine> from_compressed_unchecked(std::span<const u8, kCompressedBytes<Affine>> bytes);
template <class Affine>
Decoded<Affine> from_uncompressed(std::span<const u8, kUncompressedBytes<Affine>> bytes);
template <class Affine>
Decoded<Affine> from_uncompressed_unchecked(std::span<const u8, kUncompressedBytes<Affine>> bytes);

}  // namespace cuzk
