#include "gadgets/poseidon.h"

#include <fmt/format.h>

#include "hash/poseidon_permutation.h"

namespace cuzk::gadgets {

namespace {

Fr value_of(PoseidonTag tag, std::size_t arity) {
  return tag == PoseidonTag::merkle ? poseidon_merkle_tag(arity) : poseidon_randomness_tag();
}

/// The permutation over sums of variables.
class PoseidonRecorder {
 public:
  PoseidonRecorder(Recorder& recorder, std::span<const Signal> inputs, const Fr& tag)
      : recorder_(recorder),
        constants_(PoseidonConstants::of_arity(inputs.size())),
        key_(constants_.compressed.data()),
        state_{LinearCombination::constant(tag)} {
    state_.insert(state_.end(), inputs.begin(), inputs.end());
    for (LinearCombination& element : state_) element.add(r1cs::kOne, *key_++);
    first_s_boxes(tag + constants_.compressed[0]);
  }

  Signal hash() {
    constexpr std::size_t half = kPoseidonFullRounds / 2;
    multiply_by(constants_.mds);
    for (std::size_t round = 2; round < half; ++round) full_round(constants_.mds);
    full_round(constants_.pre_sparse);
    for (const PoseidonSparse& sparse : constants_.sparse) partial_round(sparse);
    for (std::size_t round = 1; round < half; ++round) full_round(constants_.mds);
    for (LinearCombination& element : state_) s_box(element, Fr::zero());
    multiply_by(constants_.mds);
    return allocate(state_[1]);
  }

 private:
  void first_s_boxes(const Fr& tag) {
    state_[0] = LinearCombination::constant(tag.squared().squared() * tag + *key_++);
    for (std::size_t i = 1; i < state_.size(); ++i) fifth_power(state_[i], *key_++);
  }

  void full_round(const PoseidonMatrix& matrix) {
    for (LinearCombination& element : state_) s_box(element, *key_++);
    multiply_by(matrix);
  }

  void partial_round(const PoseidonSparse& sparse) {
    s_box(state_[0], *key_++);
    const LinearCombination first = state_[0];
    LinearCombination sum;
    for (std::size_t i = 0; i < state_.size(); ++i) sum.add(state_[i], sparse.column[i]);
    state_[0] = sum.canonicalize();
    for (std::size_t j = 1; j < state_.size(); ++j) state_[j].add(first, sparse.row[j - 1]);
  }

  void s_box(LinearCombination& element, const Fr& key) {
    element = allocate(element);
    fifth_power(element, key);
  }

  /// x becomes the variable x^5 + key.
  void fifth_power(LinearCombination& x, const Fr& key) {
    const Signal square = multiply(recorder_, x, x);
    const Signal fourth = multiply(recorder_, square, square);
    const Signal fifth = recorder_.alloc();
    recorder_.enforce(x, fourth, LinearCombination(fifth).add(r1cs::kOne, -key));
    x = fifth;
  }

  Signal allocate(const LinearCombination& sum) { return multiply(recorder_, sum, r1cs::kOne); }

  void multiply_by(const PoseidonMatrix& matrix) {
    std::vector<LinearCombination> product(state_.size());
    for (std::size_t j = 0; j < state_.size(); ++j) {
      for (std::size_t i = 0; i < state_.size(); ++i) product[j].add(state_[i], matrix.at(i, j));
      product[j].canonicalize();
    }
    state_ = std::move(product);
  }

  Recorder& recorder_;
  const PoseidonConstants& constants_;
  const Fr* key_;
  std::vector<LinearCombination> state_;
};

struct Poseidon {
  PoseidonTag tag;
  std::size_t arity;

  std::string key() const {
    return fmt::format("poseidon {}{}", arity, tag == PoseidonTag::randomness ? " randomness" : "");
  }
  std::vector<Signal> record(Recorder& recorder, std::span<const Signal> inputs) const {
    return {poseidon(recorder, inputs, tag)};
  }
};

/// Three for an S-box and one for its input, without the input in the first round, and the hash.
constexpr std::size_t variables_of(std::size_t arity, std::size_t partial_rounds) {
  return 3 * arity + 4 * ((kPoseidonFullRounds - 1) * (arity + 1) + partial_rounds) + 1;
}

/// The variables of one hash, on the stack: a partition has thousands of them.
struct PoseidonValues {
  static constexpr std::size_t kMost = variables_of(kPoseidonMaxArity, 60);

  std::array<Fr, kMost> values;
  std::size_t count = 0;

  void push_back(const Fr& value) { values[count++] = value; }
};

/// Keeps the variables of all S-boxes in the order of their allocation.
class KeepSBoxes {
 public:
  KeepSBoxes(PoseidonValues& values, std::size_t width) : values_(values), first_round_left_(width) {}

  void operator()(std::size_t element, const PoseidonSBox& box) {
    if (first_round_left_ == 0) {
      values_.push_back(box.input);
    } else {
      --first_round_left_;
      if (element == 0) return;  // of the tag: a constant
    }
    values_.push_back(box.square);
    values_.push_back(box.fourth);
    values_.push_back(box.output);
  }

 private:
  PoseidonValues& values_;
  std::size_t first_round_left_;
};

}  // namespace

Signal poseidon(Recorder& recorder, std::span<const Signal> inputs, PoseidonTag tag) {
  return PoseidonRecorder(recorder, inputs, value_of(tag, inputs.size())).hash();
}

Signal poseidon(Compiler& builder, std::span<const Signal> inputs, PoseidonTag tag) {
  return builder.place(Poseidon{tag, inputs.size()}, inputs)[0];
}

Fr poseidon(WitnessBuilder& builder, std::span<const Fr> inputs, PoseidonTag tag) {
  const PoseidonConstants& constants = PoseidonConstants::of_arity(inputs.size());
  PoseidonValues kept;
  PoseidonPermutation permutation(constants, KeepSBoxes(kept, constants.width));
  const Fr hash = permutation(value_of(tag, inputs.size()), inputs);
  kept.push_back(hash);
  builder.witness().add_elements(std::span(kept.values).first(kept.count));
  return hash;
}

}  // namespace cuzk::gadgets
