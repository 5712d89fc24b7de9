/// SHA-256 of eight messages side by side: one word of each in a register of AVX2.
#include <immintrin.h>

#include <algorithm>
#include <cstring>

#include "hash/sha256_batch.h"

namespace cuzk::detail {
namespace {

#define CUZK_AVX2_TARGET __attribute__((target("avx2")))

constexpr std::size_t kLanes = 8;

CUZK_AVX2_TARGET inline __m256i all(u32 word) { return _mm256_set1_epi32(static_cast<int>(word)); }

template <int kCount>
CUZK_AVX2_TARGET inline __m256i rotated(__m256i x) {
  return _mm256_or_si256(_mm256_srli_epi32(x, kCount), _mm256_slli_epi32(x, 32 - kCount));
}

CUZK_AVX2_TARGET inline __m256i xor3(__m256i x, __m256i y, __m256i z) {
  return _mm256_xor_si256(_mm256_xor_si256(x, y), z);
}

/// Eight states: word i of all.
struct States {
  __m256i word[8];
};

CUZK_AVX2_TARGET inline States initial_states() {
  States states;
  for (std::size_t i = 0; i < 8; ++i) states.word[i] = all(kSha256Initial[i]);
  return states;
}

/// One round; `sum` is of message word and constant. The words' names move on by one place each round instead of their
/// values, so that after eight rounds every one is where it was.
template <std::size_t kRound>
CUZK_AVX2_TARGET inline void one_round(States& s, __m256i sum) {
  const auto at = [&](std::size_t i) -> __m256i& { return s.word[(i + 8 - kRound % 8) % 8]; };
  const __m256i a = at(0), b = at(1), c = at(2), e = at(4), f = at(5), g = at(6);
  const __m256i s1 = xor3(rotated<6>(e), rotated<11>(e), rotated<25>(e));
  const __m256i choice = _mm256_xor_si256(g, _mm256_and_si256(e, _mm256_xor_si256(f, g)));
  const __m256i t1 = _mm256_add_epi32(_mm256_add_epi32(at(7), sum), _mm256_add_epi32(s1, choice));
  const __m256i s0 = xor3(rotated<2>(a), rotated<13>(a), rotated<22>(a));
  const __m256i majority = _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(c, _mm256_or_si256(a, b)));
  at(3) = _mm256_add_epi32(at(3), t1);
  at(7) = _mm256_add_epi32(t1, _mm256_add_epi32(s0, majority));
}

/// Rounds first .. first + 7; sum(i) is that of round i.
template <class Sum>
CUZK_AVX2_TARGET inline void eight_rounds(States& s, std::size_t first, const Sum& sum) {
  one_round<0>(s, sum(first));
  one_round<1>(s, sum(first + 1));
  one_round<2>(s, sum(first + 2));
  one_round<3>(s, sum(first + 3));
  one_round<4>(s, sum(first + 4));
  one_round<5>(s, sum(first + 5));
  one_round<6>(s, sum(first + 6));
  one_round<7>(s, sum(first + 7));
}

CUZK_AVX2_TARGET inline void add(States& states, const States& before) {
  for (std::size_t i = 0; i < 8; ++i) states.word[i] = _mm256_add_epi32(states.word[i], before.word[i]);
}

/// Rows to columns: row i of eight words becomes word i of eight rows.
CUZK_AVX2_TARGET inline void transpose(__m256i (&rows)[8]) {
  __m256i pairs[8], quads[8];
  for (std::size_t i = 0; i < 8; i += 2) {
    pairs[i] = _mm256_unpacklo_epi32(rows[i], rows[i + 1]);
    pairs[i + 1] = _mm256_unpackhi_epi32(rows[i], rows[i + 1]);
  }
  for (std::size_t i = 0; i < 8; i += 4) {
    quads[i] = _mm256_unpacklo_epi64(pairs[i], pairs[i + 2]);
    quads[i + 1] = _mm256_unpackhi_epi64(pairs[i], pairs[i + 2]);
    quads[i + 2] = _mm256_unpacklo_epi64(pairs[i + 1], pairs[i + 3]);
    quads[i + 3] = _mm256_unpackhi_epi64(pairs[i + 1], pairs[i + 3]);
  }
  for (std::size_t i = 0; i < 4; ++i) {
    rows[i] = _mm256_permute2x128_si256(quads[i], quads[i + 4], 0x20);
    rows[i + 4] = _mm256_permute2x128_si256(quads[i], quads[i + 4], 0x31);
  }
}

CUZK_AVX2_TARGET inline __m256i swap_bytes(__m256i words) {
  const __m256i order = _mm256_broadcastsi128_si256(_mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203));
  return _mm256_shuffle_epi8(words, order);
}

/// Word i of eight blocks of 64 bytes that follow each other, for i < 16.
CUZK_AVX2_TARGET inline void load_blocks(const Digest* children, __m256i (&w)[16]) {
  for (std::size_t half = 0; half < 2; ++half) {
    __m256i rows[kLanes];
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      rows[lane] = swap_bytes(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(children[2 * lane + half].data())));
    }
    transpose(rows);
    for (std::size_t i = 0; i < 8; ++i) w[8 * half + i] = rows[i];
  }
}

/// The next sixteen words of the schedule, in place of those before them.
CUZK_AVX2_TARGET inline void next_words(__m256i (&w)[16]) {
#pragma GCC unroll 16
  for (std::size_t i = 0; i < 16; ++i) {
    const __m256i near = w[(i + 14) % 16], far = w[(i + 1) % 16];
    const __m256i s0 = xor3(rotated<7>(far), rotated<18>(far), _mm256_srli_epi32(far, 3));
    const __m256i s1 = xor3(rotated<17>(near), rotated<19>(near), _mm256_srli_epi32(near, 10));
    w[i] = _mm256_add_epi32(_mm256_add_epi32(w[i], s0), _mm256_add_epi32(w[(i + 9) % 16], s1));
  }
}

CUZK_AVX2_TARGET inline void compress_blocks(States& states, const Digest* children) {
  const States before = states;
  __m256i w[16];
  load_blocks(children, w);
  for (std::size_t round = 0; round < 64; round += 16) {
    if (round != 0) next_words(w);
    const auto sum = [&](std::size_t i) CUZK_AVX2_TARGET { return _mm256_add_epi32(w[i % 16], all(kSha256Rounds[i])); };
    eight_rounds(states, round, sum);
    eight_rounds(states, round + 8, sum);
  }
  add(states, before);
}

CUZK_AVX2_TARGET inline void compress_padding(States& states) {
  const States before = states;
  const auto sum = [](std::size_t i) CUZK_AVX2_TARGET { return all(kSha256PaddingRounds[i]); };
  for (std::size_t round = 0; round < 64; round += 8) eight_rounds(states, round, sum);
  add(states, before);
}

CUZK_AVX2_TARGET void hash_eight(const Digest* children, Digest* parents) {
  States states = initial_states();
  compress_blocks(states, children);
  compress_padding(states);
  transpose(states.word);
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(parents[lane].data()), swap_bytes(states.word[lane]));
    parents[lane][31] &= 0x3f;
  }
}

}  // namespace

CUZK_AVX2_TARGET void sha256_nodes_avx2(std::span<const Digest> children, std::span<Digest> parents) {
  std::size_t i = 0;
  for (; i + kLanes <= parents.size(); i += kLanes) hash_eight(children.data() + 2 * i, parents.data() + i);
  if (i == parents.size()) return;
  Digest last_children[2 * kLanes]{}, last_parents[kLanes];
  std::copy(children.begin() + static_cast<std::ptrdiff_t>(2 * i), children.end(), last_children);
  hash_eight(last_children, last_parents);
  std::copy_n(last_parents, parents.size() - i, parents.begin() + static_cast<std::ptrdiff_t>(i));
}

}  // namespace cuzk::detail
