#include "gadgets/poseidon.h"

#include <fmt/format.h>

#include "hash/poseidon_batch.h"

namespace cuzk::gadgets {

namespace {

PoseidonForm form_of(PoseidonTag tag, std::size_t arity) { return {tag, static_cast<u8>(arity)}; }

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

}  // namespace

Signal poseidon(Recorder& recorder, std::span<const Signal> inputs, PoseidonTag tag) {
  return PoseidonRecorder(recorder, inputs, PoseidonKind::of(form_of(tag, inputs.size())).tag).hash();
}

Signal poseidon(Compiler& builder, std::span<const Signal> inputs, PoseidonTag tag) {
  return builder.place(Poseidon{tag, inputs.size()}, inputs)[0];
}

Fr poseidon(WitnessBuilder& builder, std::span<const Fr> inputs, PoseidonTag tag) {
  const PoseidonForm form = form_of(tag, inputs.size());
  builder.witness().add_hash(form, inputs);
  if (const auto prepared = builder.prepared().take(form, inputs)) return *prepared;
  const PoseidonKind kind = PoseidonKind::of(form);
  return PoseidonPermutation<>(kind.constants)(kind.tag, inputs);
}

std::vector<Fr> prepare_poseidon(WitnessBuilder& builder, PoseidonTag tag, std::size_t arity,
                                 std::span<const Fr> inputs, std::span<const std::size_t> places) {
  const PoseidonForm form = form_of(tag, arity);
  std::vector<Fr> hashes = poseidon_hashes(PoseidonKind::of(form), inputs);
  for (std::size_t i = 0; i < places.size(); ++i)
    builder.prepared().set(places[i], form, inputs.subspan(i * arity, arity), hashes[i]);
  return hashes;
}

}  // namespace cuzk::gadgets
