/// SHA-256 in a circuit (FIPS 180-4), one template for each block.
///
/// Bits are in SHA-256's order: bytes in order, the most significant bit of a byte first. Constant bits of a message
/// (padding above all) are folded. The sums of one compression share MultiEq constraints. A block of variables has
/// about 26 thousand constraints.
#pragma once

#include "gadgets/boolean.h"

namespace cuzk::gadgets {

/// The 256 bits of the digest of a message of whole bytes.
std::vector<Signal> sha256(Compiler& builder, std::span<const Signal> message);
BitString sha256(WitnessBuilder& builder, const BitString& message);

/// The node above two nodes of a binary tree: SHA-256 of their bytes as a number, without its two top bits.
Signal sha256_node(Compiler& builder, Signal left, Signal right);
Fr sha256_node(WitnessBuilder& builder, const Fr& left, const Fr& right);

}  // namespace cuzk::gadgets
