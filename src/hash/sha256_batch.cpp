#include "hash/sha256_batch.h"

#include <bit>

#include "base/error.h"
#include "field/kernels.h"

namespace cuzk {
namespace {

constexpr std::array<u32, 64> padding_schedule() {
  std::array<u32, 64> w{};
  w[0] = 0x80000000;
  w[15] = 512;  // bits
  for (std::size_t i = 16; i < 64; ++i) {
    const u32 s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ w[i - 15] >> 3;
    const u32 s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ w[i - 2] >> 10;
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  return w;
}

std::array<u32, 64> padding_rounds() {
  std::array<u32, 64> sums = padding_schedule();
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += kSha256Rounds[i];
  return sums;
}

using Nodes = void (*)(std::span<const Digest>, std::span<Digest>);

Nodes choose_nodes() {
  if (chosen_cpu().sha_extensions) return detail::sha256_nodes_sha_ni;
  return chosen_cpu().kernels >= Kernels::avx2 ? detail::sha256_nodes_avx2 : detail::sha256_nodes_portable;
}

}  // namespace

const std::array<u32, 64> detail::kSha256PaddingRounds = padding_rounds();

void detail::sha256_nodes_portable(std::span<const Digest> children, std::span<Digest> parents) {
  for (std::size_t i = 0; i < parents.size(); ++i) parents[i] = sha256_node(children[2 * i], children[2 * i + 1]);
}

void sha256_nodes(std::span<const Digest> children, std::span<Digest> parents) {
  static const Nodes nodes = choose_nodes();
  if (children.size() != 2 * parents.size()) {
    throw internal_error("nodes of a tree: {} children for {} parents", children.size(), parents.size());
  }
  nodes(children, parents);
}

}  // namespace cuzk
