/// SHA-256 with the SHA extensions of x86. Four rounds at a time; the state is kept as the instructions want it
/// (a, b, e, f and c, d, g, h). Source: Intel, "Intel SHA Extensions", 2013.
#include <cpuid.h>
#include <immintrin.h>

#include "hash/sha256.h"

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

/// Four rounds with message words already there.
CUZK_SHA_TARGET inline void four_rounds(State& state, __m128i message, std::size_t round) {
  const __m128i constants = _mm_loadu_si128(reinterpret_cast<const __m128i*>(kSha256Rounds.data() + round));
  const __m128i sum = _mm_add_epi32(message, constants);
  state.cdgh = _mm_sha256rnds2_epu32(state.cdgh, state.abef, sum);
  state.abef = _mm_sha256rnds2_epu32(state.abef, state.cdgh, _mm_shuffle_epi32(sum, 0x0e));
}

/// Words i .. i + 3 of the schedule from the sixteen before them, four in each argument.
CUZK_SHA_TARGET inline __m128i next_words(__m128i w0, __m128i w4, __m128i w8, __m128i w12) {
  const __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(w0, w4), _mm_alignr_epi8(w12, w8, 4));
  return _mm_sha256msg2_epu32(sum, w12);
}

CUZK_SHA_TARGET inline void compress_block(State& state, const u8* block) {
  const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  __m128i w[4];
  for (std::size_t i = 0; i < 4; ++i) {
    w[i] = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(block + 16 * i)), big_endian);
    four_rounds(state, w[i], 4 * i);
  }
#pragma GCC unroll 12
  for (std::size_t i = 4; i < 16; ++i) {
    w[i % 4] = next_words(w[i % 4], w[(i + 1) % 4], w[(i + 2) % 4], w[(i + 3) % 4]);
    four_rounds(state, w[i % 4], 4 * i);
  }
}

}  // namespace

CUZK_SHA_TARGET void sha256_compress_sha_ni(Sha256State& words, std::span<const u8> blocks) {
  State state = load_state(words);
  for (std::size_t at = 0; at < blocks.size(); at += kSha256Block) {
    const State before = state;
    compress_block(state, blocks.data() + at);
    state.abef = _mm_add_epi32(state.abef, before.abef);
    state.cdgh = _mm_add_epi32(state.cdgh, before.cdgh);
  }
  store_state(words, state);
}

bool sha256_has_extensions() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & bit_SHA) != 0 && __builtin_cpu_supports("sse4.1") != 0;
}

}  // namespace cuzk::detail
