/// The verifying key and its file (.vk).
///
/// Bytes: alpha_g1, beta_g1 (96 each), beta_g2, gamma_g2 (192 each), delta_g1 (96), delta_g2 (192): 864 bytes of
/// uncompressed points; then a big-endian u32 count of ic and its points (96 each). No magic number, nothing after.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "base/types.h"
#include "curve/g1.h"
#include "curve/g2.h"

namespace cuzk::groth16 {

struct VerifyingKey {
  static constexpr std::size_t kPointBytes = 864;  ///< of the six fixed points

  G1Affine alpha_g1, beta_g1;
  G2Affine beta_g2, gamma_g2;
  G1Affine delta_g1;
  G2Affine delta_g2;
  std::vector<G1Affine> ic;  ///< one point for each input, ONE first

  /// Public inputs that a proof comes with, ONE not counted.
  std::size_t public_inputs() const { return ic.size() - 1; }

  /// The bytes must be exactly one key. Every point is checked (flags, canonical, curve, subgroup) and infinity is
  /// refused, as is an empty ic. Throws Error{invalid_input} naming `source` and the point.
  static VerifyingKey from_bytes(std::span<const u8> bytes, std::string_view source);

  std::vector<u8> to_bytes() const;

  /// Reads a .vk file; not_found when there is none.
  static VerifyingKey read(const std::filesystem::path& path);

  /// Writes a .vk file; it appears under its name only when it is complete.
  void write(const std::filesystem::path& path) const;

  friend bool operator==(const VerifyingKey&, const VerifyingKey&) = default;
};

}  // namespace cuzk::groth16
