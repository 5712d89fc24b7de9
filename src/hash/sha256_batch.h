/// Nodes of binary SHA-256 trees, many at once.
///
/// Two blocks are hashed for a node, the second of which is the padding of 64 bytes and always the same: its schedule is
/// a table. How: two nodes in turn with the SHA extensions, whose instructions take four cycles but may begin every two;
/// else eight side by side in AVX2; else one after another. All give the same bytes (field/kernels.h chooses).
/// Source of the lanes: Gueron, Krasnov, "Simultaneous hashing of multiple messages" (2012).
#pragma once

#include <span>

#include "hash/sha256.h"

namespace cuzk {

/// parents[i] = sha256_node(children[2 i], children[2 i + 1]); as many children as twice the parents, else
/// Error{internal}. Parents and children must not overlap. May be called from any thread.
void sha256_nodes(std::span<const Digest> children, std::span<Digest> parents);

namespace detail {
/// One implementation each, for differential tests and measurements; sizes fit. sha_ni only where has_sha_extensions(),
/// avx2 only where is_supported(Kernels::avx2).
void sha256_nodes_portable(std::span<const Digest> children, std::span<Digest> parents);
void sha256_nodes_sha_ni(std::span<const Digest> children, std::span<Digest> parents);
void sha256_nodes_avx2(std::span<const Digest> children, std::span<Digest> parents);

/// kSha256Rounds[i] + w[i] of the block that pads a message of 64 bytes.
extern const std::array<u32, 64> kSha256PaddingRounds;
}  // namespace detail

}  // namespace cuzk
