/// The compressed form of Poseidon's permutation with somebody who watches its S-boxes: a hash watches nothing, a
/// circuit's witness keeps what it sees.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "hash/fr_dot_product.h"
#include "hash/poseidon_constants.h"

namespace cuzk {

/// What an S-box computes: the input x (constant added in the first round), x^2, x^4, and x^5 + key.
struct PoseidonSBox {
  Fr input, square, fourth, output;
};

/// Watches S-boxes and does nothing.
struct PoseidonUnwatched {
  void operator()(std::size_t, const PoseidonSBox&) const {}
};

/// One run of the permutation. `watch(element, s_box)` is called for every S-box, in order: in full rounds elements
/// 0 .. width - 1, in partial rounds element 0. Threads: one object, one thread.
template <class Watch = PoseidonUnwatched>
class PoseidonPermutation {
 public:
  explicit PoseidonPermutation(const PoseidonConstants& constants, Watch watch = {})
      : constants_(constants), watch_(std::move(watch)) {}

  /// Element 1 of the permuted state.
  Fr operator()(const Fr& tag, std::span<const Fr> inputs) {
    start(tag, inputs);
    constexpr std::size_t half = kPoseidonFullRounds / 2;
    for (std::size_t round = 1; round < half; ++round) full_round(constants_.mds);
    full_round(constants_.pre_sparse);
    for (const PoseidonSparse& sparse : constants_.sparse) partial_round(sparse);
    for (std::size_t round = 1; round < half; ++round) full_round(constants_.mds);
    return last_round();
  }

 private:
  using State = std::array<Fr, kPoseidonMaxArity + 1>;

  void start(const Fr& tag, std::span<const Fr> inputs) {
    state_[0] = tag;
    std::ranges::copy(inputs, state_.begin() + 1);
    key_ = constants_.compressed.data();
    for (std::size_t i = 0; i < constants_.width; ++i) state_[i] += *key_++;
  }

  void s_box(std::size_t element, const Fr& key) {
    PoseidonSBox box;
    box.input = state_[element];
    box.square = box.input.squared();
    box.fourth = box.square.squared();
    box.output = box.fourth * box.input + key;
    watch_(element, box);
    state_[element] = box.output;
  }

  void full_round(const PoseidonMatrix& matrix) {
    for (std::size_t i = 0; i < constants_.width; ++i) s_box(i, *key_++);
    State product;
    for (std::size_t j = 0; j < constants_.width; ++j) product[j] = matrix_product(matrix, j);
    std::copy_n(product.begin(), constants_.width, state_.begin());
  }

  void partial_round(const PoseidonSparse& sparse) {
    s_box(0, *key_++);
    const Fr first = state_[0];
    state_[0] = dot_product(state_.data(), sparse.column.data(), constants_.width);
    for (std::size_t j = 1; j < constants_.width; ++j) state_[j] += first * sparse.row[j - 1];
  }

  /// No keys, and only one element of the product.
  Fr last_round() {
    for (std::size_t i = 0; i < constants_.width; ++i) s_box(i, Fr::zero());
    return matrix_product(constants_.mds, 1);
  }

  Fr matrix_product(const PoseidonMatrix& matrix, std::size_t column) const {
    return dot_product(state_.data(), matrix.items.data() + column, constants_.width, constants_.width);
  }

  const PoseidonConstants& constants_;
  Watch watch_;
  const Fr* key_ = nullptr;
  State state_;
};

}  // namespace cuzk
