#include "gadgets/sha256.h"

#include <algorithm>

#include "base/error.h"
#include "gadgets/bits.h"
#include "gadgets/multipack.h"
#include "gadgets/uint32.h"
#include "hash/sha256.h"

namespace cuzk::gadgets {

namespace {

template <class Steps>
using Words = std::vector<typename Steps::Word>;

/// x rotated by three amounts, or rotated by two and shifted, all XORed from left to right.
template <class Steps>
typename Steps::Word sigma(Steps& steps, const typename Steps::Word& x, unsigned r1, unsigned r2, unsigned r3) {
  const auto two = steps.exclusive_or(Steps::rotate_right(x, r1), Steps::rotate_right(x, r2));
  return steps.exclusive_or(two, Steps::rotate_right(x, r3));
}
template <class Steps>
typename Steps::Word small_sigma(Steps& steps, const typename Steps::Word& x, unsigned r1, unsigned r2,
                                 unsigned shift) {
  const auto two = steps.exclusive_or(Steps::rotate_right(x, r1), Steps::rotate_right(x, r2));
  return steps.exclusive_or(two, Steps::shift_right(x, shift));
}

/// The 64 words of the message schedule from the 16 of a block.
template <class Steps>
Words<Steps> schedule(Steps& steps, Words<Steps> w) {
  w.reserve(64);
  for (std::size_t i = 16; i < 64; ++i) {
    const auto s0 = small_sigma(steps, w[i - 15], 7, 18, 3);
    const auto s1 = small_sigma(steps, w[i - 2], 17, 19, 10);
    w.push_back(steps.add(std::array{w[i - 16], s0, w[i - 7], s1}));
  }
  return w;
}

/// One block. The sums for a and e of a round are made only when the next round needs them, so that those of the last
/// round take the addition to the state into the same sum.
template <class Steps>
Words<Steps> compress(Steps& steps, const Words<Steps>& block, const Words<Steps>& state) {
  using Word = typename Steps::Word;
  const Words<Steps> w = schedule(steps, block);
  Word a = state[0], b = state[1], c = state[2], d = state[3];
  Word e = state[4], f = state[5], g = state[6], h = state[7];
  Words<Steps> next_a, next_e;  // what to add up for them
  for (std::size_t i = 0; i < 64; ++i) {
    if (i > 0) e = steps.add(next_e);
    const Word s1 = sigma(steps, e, 6, 11, 25);
    const Word choice = steps.ch(e, f, g);
    if (i > 0) a = steps.add(next_a);
    const Word s0 = sigma(steps, a, 2, 13, 22);
    const Word majority = steps.maj(a, b, c);
    const Word constant = Steps::constant(kSha256Rounds[i]);
    next_e = {h, s1, choice, constant, w[i], d};
    next_a = {h, s1, choice, constant, w[i], s0, majority};
    h = g;
    g = f;
    f = e;
    d = c;
    c = b;
    b = a;
  }
  next_a.push_back(state[0]);
  next_e.push_back(state[4]);
  Words<Steps> result;
  result.push_back(steps.add(next_a));
  result.push_back(steps.add(std::array{state[1], b}));
  result.push_back(steps.add(std::array{state[2], c}));
  result.push_back(steps.add(std::array{state[3], d}));
  result.push_back(steps.add(next_e));
  result.push_back(steps.add(std::array{state[5], f}));
  result.push_back(steps.add(std::array{state[6], g}));
  result.push_back(steps.add(std::array{state[7], h}));
  steps.finish();
  return result;
}

/// inputs: 512 bits of a block, then 256 of the state; outputs: the new state. A word's most significant bit is first.
struct Sha256Block {
  static std::string key() { return "sha256 block"; }

  static std::vector<Signal> record(Recorder& recorder, std::span<const Signal> inputs) {
    Words<Uint32Constraints> words;
    for (std::size_t i = 0; i < inputs.size(); i += 32) {
      auto word = Uint32Constraints::constant(0);
      std::reverse_copy(inputs.begin() + static_cast<std::ptrdiff_t>(i),
                        inputs.begin() + static_cast<std::ptrdiff_t>(i + 32), word.begin());
      words.push_back(word);
    }
    Uint32Constraints steps(recorder);
    std::vector<Signal> bits;
    for (const auto& word : compress(steps, {words.begin(), words.begin() + 16}, {words.begin() + 16, words.end()})) {
      bits.insert(bits.end(), word.rbegin(), word.rend());
    }
    return bits;
  }
};

Words<Uint32Values> words_of(const BitString& bits, std::size_t first, std::size_t count) {
  Words<Uint32Values> words;
  for (std::size_t i = 0; i < count; ++i) {
    const BitString::Chunk chunk = bits.chunk(first + 32 * i, 32);
    words.push_back(
        {static_cast<u32>(reverse_bits(chunk.values, 32)), static_cast<u32>(reverse_bits(chunk.variables, 32)), 0});
  }
  return words;
}

BitString bits_of(const Words<Uint32Values>& words) {
  BitString bits;
  for (const auto& word : words) bits.append({reverse_bits(word.value, 32), reverse_bits(word.variable, 32)}, 32);
  return bits;
}

/// Appends the end of a message of `size` bits so far: 1, zeros, its length, up to a whole block.
template <class Bits>
void pad(Bits& message) {
  const u64 size = message.size();
  append_constant(message, 1, 1);
  while (message.size() % 512 != 448) append_constant(message, 0, 1);
  append_constant_reversed(message, size, 64);
}

template <class Builder>
typename Builder::Number node(Builder& builder, const typename Builder::Number& left,
                              const typename Builder::Number& right) {
  auto message = reverse_bit_numbering(to_bits(builder, left));
  append(message, reverse_bit_numbering(to_bits(builder, right)));
  return pack_bits(builder, reverse_bit_numbering(sha256(builder, message)));
}

}  // namespace

std::vector<Signal> sha256(Compiler& builder, std::span<const Signal> message) {
  std::vector<Signal> padded(message.begin(), message.end()), state;
  pad(padded);
  for (const u32 word : kSha256Initial) append_constant_reversed(state, word, 32);
  for (std::size_t first = 0; first < padded.size(); first += 512) {
    std::vector<Signal> inputs = slice(padded, first, 512);
    append(inputs, state);
    state = builder.place(Sha256Block(), inputs);
  }
  return state;
}

BitString sha256(WitnessBuilder& builder, const BitString& message) {
  BitString padded = message;
  pad(padded);
  Words<Uint32Values> state;
  for (const u32 word : kSha256Initial) state.push_back(Uint32Values::constant(word));
  for (std::size_t first = 0; first < padded.size(); first += 512) {
    BitVector allocated;
    allocated.reserve(1 << 15);
    Uint32Values steps(allocated);
    state = compress(steps, words_of(padded, first, 16), state);
    builder.witness().add_bits(allocated);
  }
  return bits_of(state);
}

Signal sha256_node(Compiler& builder, Signal left, Signal right) { return node(builder, left, right); }
Fr sha256_node(WitnessBuilder& builder, const Fr& left, const Fr& right) { return node(builder, left, right); }

}  // namespace cuzk::gadgets
