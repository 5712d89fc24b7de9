#include "hash/poseidon.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/error.h"
#include "hash/poseidon_permutation.h"

namespace cuzk {

namespace {

void check_inputs(const PoseidonConstants& constants, std::span<const Fr> inputs) {
  if (inputs.size() != constants.arity)
    throw invalid_input("Poseidon: {} inputs, expected {}", inputs.size(), constants.arity);
}

Fr fifth_power(const Fr& x) { return x.squared().squared() * x; }

std::vector<Fr> product(std::span<const Fr> state, const PoseidonMatrix& matrix) {
  std::vector<Fr> result(matrix.width, Fr::zero());
  for (std::size_t i = 0; i < matrix.width; ++i)
    for (std::size_t j = 0; j < matrix.width; ++j) result[j] += state[i] * matrix.at(i, j);
  return result;
}

}  // namespace

Fr poseidon(std::span<const Fr> inputs) {
  return poseidon(PoseidonConstants::of_arity(inputs.size()), poseidon_merkle_tag(inputs.size()), inputs);
}

Fr poseidon_gen_randomness(const Fr& first, const Fr& second) {
  return poseidon(PoseidonConstants::of_arity(2), poseidon_randomness_tag(), std::array{first, second});
}

Fr poseidon(const PoseidonConstants& constants, const Fr& tag, std::span<const Fr> inputs) {
  check_inputs(constants, inputs);
  return PoseidonPermutation<>(constants)(tag, inputs);
}

Fr poseidon_reference(const PoseidonConstants& constants, const Fr& tag, std::span<const Fr> inputs) {
  check_inputs(constants, inputs);
  std::vector<Fr> state{tag};
  state.insert(state.end(), inputs.begin(), inputs.end());
  const std::size_t half = kPoseidonFullRounds / 2, rounds = kPoseidonFullRounds + constants.partial_rounds;
  for (std::size_t round = 0; round < rounds; ++round) {
    const bool full = round < half || round >= rounds - half;
    for (std::size_t i = 0; i < state.size(); ++i) state[i] += constants.round_constants[round * state.size() + i];
    for (std::size_t i = 0; i < (full ? state.size() : 1); ++i) state[i] = fifth_power(state[i]);
    state = product(state, constants.mds);
  }
  return state[1];
}

}  // namespace cuzk
