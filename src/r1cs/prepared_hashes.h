/// Hashes of a witness that were computed before the circuit comes to them, because many are cheaper together than one
/// by one.
///
/// Whoever prepares knows in which order the circuit will ask; the circuit says what it asks for, so that a wrong guess
/// costs time and nothing else. One object belongs to one thread.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "field/fr.h"
#include "hash/poseidon_form.h"

namespace cuzk::r1cs {

class PreparedHashes {
 public:
  /// Forgets all hashes; expects `count` of them, which are none until they are set. Memory is kept.
  void expect(std::size_t count) {
    hashes_.assign(count, {});
    inputs_.clear();
    next_ = 0;
  }

  /// The place counts from the first hash after expect().
  void set(std::size_t place, const PoseidonForm& form, std::span<const Fr> inputs, const Fr& hash) {
    hashes_[place] = {form, inputs_.size(), hash};
    inputs_.insert(inputs_.end(), inputs.begin(), inputs.end());
  }

  /// The next hash if it is this one, and steps over it; else none.
  std::optional<Fr> take(const PoseidonForm& form, std::span<const Fr> inputs) {
    if (next_ == hashes_.size()) return std::nullopt;
    const Hash& hash = hashes_[next_];
    if (hash.form != form || !std::ranges::equal(inputs_of(hash), inputs)) return std::nullopt;
    ++next_;
    return hash.value;
  }

 private:
  struct Hash {
    PoseidonForm form;  // of arity 0 while it is not set
    std::size_t first_input = 0;
    Fr value = Fr::zero();
  };

  std::span<const Fr> inputs_of(const Hash& hash) const {
    return std::span(inputs_).subspan(hash.first_input, hash.form.arity);
  }

  std::vector<Hash> hashes_;
  std::vector<Fr> inputs_;
  std::size_t next_ = 0;
};

}  // namespace cuzk::r1cs
