/// SHA-256 with the SHA extensions of x86. Four rounds at a time; the state is kept as the instructions want it
/// (a, b, e, f and c, d, g, h). Nodes of trees go two by two, for one node's rounds wait for each other. Source: Intel, "Intel SHA Extensions", 2013.
#include <immintrin.h>

#include <cstring>

#include "hash/sha256.h"
#include "hash/sha256_batch.h"

namespace cuzk::detail {

namespace {

#define CUZK_SHA_TARGET __attribute__((target("sha,sse4.1,ssse3")))

struct State {
  __m128i abef, cdgh;
};

CUZK_SHA_TARGET inline State load_state(const Sha256State& words) {
  const __m128i dcba = _mm_loadu_si128(reinterpret_cast<const __m128i*>(words.data()));
  const __m128i hgfe = _mm_loadu_si128(reinterpret_cast<const __m128i*>(words.data() + 4));
  const __m128i cdab = _mm_shuffle_epi32(dcba, 0xb1);
  const __m128i efgh = _mm_shuffle_epi32(hgfe, 0x1b);
  return {_mm_alignr_epi8(cdab, efgh, 8), _mm_blend_epi16(efgh, cdab, 0xf0)};
}

CUZK_SHA_TARGET inline void store_state(Sha256State& words, const State& state) {
  const __m128i feba = _mm_shuffle_epi32(state.abef, 0x1b);
  const __m128i dchg = _mm_shuffle_epi32(state.cdgh, 0xb1);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(words.data()), _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(words.data() + 4), _mm_alignr_epi8(dchg, feba, 8));
}

CUZK_SHA_TARGET inline __m128i load_four(const u32* words) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(words));
}

/// Four rounds, given the sums of message words and constants.
CUZK_SHA_TARGET inline void four_rounds(State& state, __m128i sum) {
  state.cdgh = _mm_sha256rnds2_epu32(state.cdgh, state.abef, sum);
  state.abef = _mm_sha256rnds2_epu32(state.abef, state.cdgh, _mm_shuffle_epi32(sum, 0x0e));
}

/// Four rounds with message words already there.
CUZK_SHA_TARGET inline void four_rounds(State& state, __m128i message, std::size_t round) {
  four_rounds(state, _mm_add_epi32(message, load_four(kSha256Rounds.data() + round)));
}

/// Words i .. i + 3 of the schedule from the sixteen before them, four in each argument.
CUZK_SHA_TARGET inline __m128i next_words(__m128i w0, __m128i w4, __m128i w8, __m128i w12) {
  const __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(w0, w4), _mm_alignr_epi8(w12, w8, 4));
  return _mm_sha256msg2_epu32(sum, w12);
}

/// Sixteen bytes of a message as four words.
CUZK_SHA_TARGET inline __m128i load_words(const u8* bytes) {
  const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  return _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes)), big_endian);
}

CUZK_SHA_TARGET inline void add(State& state, const State& before) {
  state.abef = _mm_add_epi32(state.abef, before.abef);
  state.cdgh = _mm_add_epi32(state.cdgh, before.cdgh);
}

/// One block of each of kCount messages.
template <std::size_t kCount>
CUZK_SHA_TARGET inline void compress_blocks(State (&states)[kCount], const u8* const (&blocks)[kCount]) {
  __m128i w[kCount][4];
  State before[kCount];
#pragma GCC unroll 2
  for (std::size_t k = 0; k < kCount; ++k) before[k] = states[k];
#pragma GCC unroll 4
  for (std::size_t i = 0; i < 4; ++i) {
#pragma GCC unroll 2
    for (std::size_t k = 0; k < kCount; ++k) {
      w[k][i] = load_words(blocks[k] + 16 * i);
      four_rounds(states[k], w[k][i], 4 * i);
    }
  }
#pragma GCC unroll 12
  for (std::size_t i = 4; i < 16; ++i) {
#pragma GCC unroll 2
    for (std::size_t k = 0; k < kCount; ++k) {
      w[k][i % 4] = next_words(w[k][i % 4], w[k][(i + 1) % 4], w[k][(i + 2) % 4], w[k][(i + 3) % 4]);
      four_rounds(states[k], w[k][i % 4], 4 * i);
    }
  }
#pragma GCC unroll 2
  for (std::size_t k = 0; k < kCount; ++k) add(states[k], before[k]);
}

/// The block that pads a message of 64 bytes.
template <std::size_t kCount>
CUZK_SHA_TARGET inline void compress_padding(State (&states)[kCount]) {
  State before[kCount];
#pragma GCC unroll 2
  for (std::size_t k = 0; k < kCount; ++k) before[k] = states[k];
#pragma GCC unroll 16
  for (std::size_t i = 0; i < 16; ++i) {
#pragma GCC unroll 2
    for (std::size_t k = 0; k < kCount; ++k) four_rounds(states[k], load_four(kSha256PaddingRounds.data() + 4 * i));
  }
#pragma GCC unroll 2
  for (std::size_t k = 0; k < kCount; ++k) add(states[k], before[k]);
}

/// A state as the bytes of a node.
CUZK_SHA_TARGET inline void store_node(Digest& node, const State& state) {
  Sha256State words;
  store_state(words, state);
  for (std::size_t i = 0; i < 8; ++i) {
    const u32 big_endian = __builtin_bswap32(words[i]);
    std::memcpy(node.data() + 4 * i, &big_endian, sizeof big_endian);
  }
  node[31] &= 0x3f;
}

template <std::size_t kCount>
CUZK_SHA_TARGET inline void hash_nodes(const Digest* children, Digest* parents) {
  State states[kCount];
  const u8* blocks[kCount];
  for (std::size_t k = 0; k < kCount; ++k) {
    states[k] = load_state(kSha256Initial);
    blocks[k] = children[2 * k].data();
  }
  compress_blocks(states, blocks);
  compress_padding(states);
  for (std::size_t k = 0; k < kCount; ++k) store_node(parents[k], states[k]);
}

}  // namespace

CUZK_SHA_TARGET void sha256_compress_sha_ni(Sha256State& words, std::span<const u8> blocks) {
  State state[1]{load_state(words)};
  for (std::size_t at = 0; at < blocks.size(); at += kSha256Block) compress_blocks<1>(state, {blocks.data() + at});
  store_state(words, state[0]);
}

CUZK_SHA_TARGET void sha256_nodes_sha_ni(std::span<const Digest> children, std::span<Digest> parents) {
  std::size_t i = 0;
  for (; i + 2 <= parents.size(); i += 2) hash_nodes<2>(children.data() + 2 * i, parents.data() + i);
  if (i < parents.size()) hash_nodes<1>(children.data() + 2 * i, parents.data() + i);
}

}  // namespace cuzk::detail
