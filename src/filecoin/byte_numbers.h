/// A node as JSON writes it when it is compact: "[1,22,255,...]", 32 numbers below 256 without white space. A 32 GiB
/// proof has half a million of them, nine tenths of its bytes.
///
/// With AVX2 the places of all separators come from two masks of 64 bytes, and eight numbers are converted at a time, so
/// that no number waits for the length of the one before it; without, one number after the other.
#pragma once

#include "base/types.h"
#include "filecoin/node.h"

namespace cuzk::filecoin {

/// Bytes that compact_node may read, whatever stands there; the text itself has at most 129.
inline constexpr std::size_t kCompactNodeBytes = 136;

/// Reads a node. Gives the length of its text, or 0 where it is written in another way or is none.
std::size_t compact_node(const u8* text, Node& node);

/// The same, without vectors: what the other is compared with.
std::size_t compact_node_portable(const u8* text, Node& node);

}  // namespace cuzk::filecoin
