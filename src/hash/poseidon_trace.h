/// A Poseidon permutation as a circuit sees it: every value that is a variable there.
///
/// The values in order: for each S-box its input x (not in the first round, where it is the hash's own input plus a
/// constant), x^2, x^4, x^5 + key; the S-box of the tag is a constant and left out; at the end the hash.
#pragma once

#include "hash/poseidon_permutation.h"

namespace cuzk {

/// Number of values: arity 2: 311, 4: 377, 8: 505, 11: 598.
constexpr std::size_t poseidon_trace_size(std::size_t arity, std::size_t partial_rounds) {
  return 3 * arity + 4 * ((kPoseidonFullRounds - 1) * (arity + 1) + partial_rounds) + 1;
}
inline std::size_t poseidon_trace_size(const PoseidonConstants& constants) {
  return poseidon_trace_size(constants.arity, constants.partial_rounds);
}

/// Writes what a permutation's S-boxes compute.
class PoseidonTracer {
 public:
  PoseidonTracer(Fr* next, std::size_t width) : next_(next), first_round_left_(width) {}

  void operator()(std::size_t element, const PoseidonSBox& box) {
    if (first_round_left_ == 0) {
      *next_++ = box.input;
    } else {
      --first_round_left_;
      if (element == 0) return;
    }
    *next_++ = box.square;
    *next_++ = box.fourth;
    *next_++ = box.output;
  }

 private:
  Fr* next_;
  std::size_t first_round_left_;
};

/// Writes one permutation's values; trace.size() must be poseidon_trace_size(constants), inputs.size() the arity.
inline void trace_poseidon(const PoseidonConstants& constants, const Fr& tag, std::span<const Fr> inputs,
                           std::span<Fr> trace) {
  PoseidonPermutation permutation(constants, PoseidonTracer(trace.data(), constants.width));
  trace.back() = permutation(tag, inputs);
}

}  // namespace cuzk
