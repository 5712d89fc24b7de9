/// Small circuits of random constraints that a random witness satisfies: nothing about them was chosen by hand.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "r1cs/compiler.h"
#include "r1cs/witness_builder.h"
#include "support/random.h"

namespace cuzk::test {

/// A circuit by its numbers and terms. Variables: 0 is ONE, then public inputs, numbers from outside, then one product for
/// each constraint. Constraint i says: sum * sum = product_i + sum, and the last sum is taken from the product's value.
class RandomProgram {
 public:
  explicit RandomProgram(u64 seed) : random_(seed), publics_(random_() % 4), numbers_(1 + random_() % 5) {
    const std::size_t constraints = 1 + random_() % 40;
    for (std::size_t i = 0; i < constraints + numbers_; ++i) {
      constraints_.push_back({sum(i), sum(i), sum(i)});
      // Each number occurs: a key has no point for a variable that occurs nowhere.
      if (i < numbers_) constraints_[i][random_() % 3].push_back({1 + publics_ + i, Fr::from_u64(5)});
    }
  }

  r1cs::Circuit compile() const {
    r1cs::Compiler compiler;
    std::vector<r1cs::Signal> inputs;
    for (std::size_t i = 0; i < publics_; ++i) inputs.emplace_back(compiler.alloc_input());
    for (std::size_t i = 0; i < numbers_; ++i) inputs.emplace_back(compiler.alloc_number());
    compiler.place(*this, inputs);
    return std::move(compiler).finish();
  }

  /// The values of all variables, ONE first, then public inputs: random ones, some of them bits.
  std::vector<Fr> values(u64 seed) const {
    Random random(seed);
    std::vector<Fr> values{Fr::one()};
    for (std::size_t i = 0; i < publics_ + numbers_; ++i) {
      values.push_back(random() % 3 == 0 ? Fr::from_u64(random() % 2) : random_field<Fr>(random));
    }
    for (const auto& [a, b, c] : constraints_) values.push_back(value(a, values) * value(b, values) - value(c, values));
    return values;
  }

  r1cs::Witness witness(const std::vector<Fr>& values) const {
    r1cs::Witness witness;
    for (std::size_t i = 0; i < publics_; ++i) witness.add_input(values[1 + i]);
    for (std::size_t i = 1 + publics_; i < values.size(); ++i) {
      if (values[i].is_zero() || values[i].is_one()) {
        witness.add_bits(values[i].is_one() ? 1 : 0, 1);
      } else {
        witness.add_element(values[i]);
      }
    }
    return witness;
  }

  bool holds(const std::vector<Fr>& values) const {
    for (std::size_t i = 0; i < constraints_.size(); ++i) {
      const auto& [a, b, c] = constraints_[i];
      if (value(a, values) * value(b, values) != value(c, values) + values[1 + publics_ + numbers_ + i]) return false;
    }
    return true;
  }

  std::size_t publics() const { return publics_; }

  // What Compiler::place takes.
  static std::string key() { return "random"; }
  std::vector<r1cs::Signal> record(r1cs::Recorder& recorder, std::span<const r1cs::Signal> inputs) const {
    std::vector<r1cs::Signal> signals{r1cs::kOne};
    signals.insert(signals.end(), inputs.begin(), inputs.end());
    for (const auto& [a, b, c] : constraints_) {
      const r1cs::Signal product = recorder.alloc();
      recorder.enforce(combination(a, signals), combination(b, signals), combination(c, signals) + product);
      signals.push_back(product);
    }
    return {};
  }

 private:
  struct Term {
    std::size_t variable;
    Fr coefficient;
  };
  using Sum = std::vector<Term>;

  /// Of variables that exist before constraint i; now and then empty, with repeated variables and coefficients that cancel.
  Sum sum(std::size_t i) {
    Sum terms;
    for (std::size_t left = random_() % 5; left > 0; --left) {
      const auto small = static_cast<u64>(random_() % 3);
      terms.push_back({random_() % (1 + publics_ + numbers_ + i),
                       random_() % 4 == 0 ? random_field<Fr>(random_) : Fr::from_u64(small) - Fr::one()});
    }
    return terms;
  }

  static Fr value(const Sum& sum, const std::vector<Fr>& values) {
    Fr total = Fr::zero();
    for (const auto& [variable, coefficient] : sum) total += coefficient * values[variable];
    return total;
  }

  static r1cs::LinearCombination combination(const Sum& sum, const std::vector<r1cs::Signal>& signals) {
    r1cs::LinearCombination total;
    for (const auto& [variable, coefficient] : sum) total.add(signals[variable], coefficient);
    return total;
  }

  Random random_;
  std::size_t publics_, numbers_;
  std::vector<std::array<Sum, 3>> constraints_;
};

}  // namespace cuzk::test
