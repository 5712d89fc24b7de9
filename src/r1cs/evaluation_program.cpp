#include "r1cs/evaluation_program.h"

#include <map>

namespace cuzk::r1cs {
namespace {

using SmallTerm = EvaluationProgram::SmallTerm;
using Run = EvaluationProgram::Run;

/// A coefficient as an integer if it is small enough, or 0 (which no coefficient is).
i32 small_integer(const Fr& coefficient) {
  const auto small = [](const Fr::Integer& x) {
    return x[1] == 0 && x[2] == 0 && x[3] == 0 && x[0] <= SmallTerm::kLargest ? static_cast<i32>(x[0]) : 0;
  };
  const i32 positive = small(coefficient.to_integer());
  return positive != 0 ? positive : -small((-coefficient).to_integer());
}

class ProgramMaker {
 public:
  explicit ProgramMaker(const Template& form) : form_(form) {
    for (const Fr& coefficient : form.coefficients) {
      small_.push_back(small_integer(coefficient));
      doubled_.push_back(coefficient.doubled());
    }
  }

  EvaluationProgram make() {
    add(program_.a, form_.a);
    add(program_.b, form_.b);
    add(program_.c, form_.c);
    return std::move(program_);
  }

 private:
  void add(EvaluationProgram::Side& side, const SparseRows& rows) {
    side.terms.reserve(rows.terms.size());
    for (u32 j = 0; j < form_.constraints(); ++j) {
      const auto row = rows.row(j);
      const bool small = is_small(row);
      const u32 terms = small ? static_cast<u32>(row.size()) : 0;
      if (side.blocks.empty() || side.blocks.back().terms != terms) side.blocks.push_back({0, terms});
      ++side.blocks.back().rows;
      if (!small) side.wide.push_back({j, wide_row(row)});
      if (!small) continue;
      for (const LocalTerm& term : row) side.terms.emplace_back(term.local, small_[term.coefficient]);
    }
  }

  bool is_small(std::span<const LocalTerm> row) const {
    i32 sum = 0;
    for (const LocalTerm& term : row) {
      const i32 coefficient = small_[term.coefficient];
      sum += std::abs(coefficient);
      if (coefficient == 0 || sum > SmallTerm::kLargest || term.local >= SmallTerm::kLocals) return false;
    }
    return true;
  }

  /// The number of the wide row; a new one where these terms have not been seen.
  u32 wide_row(std::span<const LocalTerm> row) {
    const auto [place, is_new] = wide_.try_emplace(key_of(row), static_cast<u32>(program_.wide_rows()));
    if (is_new) {
      for (std::size_t i = 0; i < row.size();) i += add_run(row.subspan(i));
      program_.wide_starts.push_back(static_cast<u32>(program_.runs.size()));
    }
    return place->second;
  }

  /// Adds the run that starts a row; returns its length.
  std::size_t add_run(std::span<const LocalTerm> row) {
    u32 length = 1;
    while (length < 64 && length < row.size() && continues(row[length - 1], row[length])) ++length;
    program_.runs.push_back({row[0].local, length, row[0].coefficient});
    return length;
  }

  bool continues(const LocalTerm& term, const LocalTerm& next) const {
    return next.local == term.local + 1 && form_.coefficients[next.coefficient] == doubled_[term.coefficient];
  }

  static std::vector<u64> key_of(std::span<const LocalTerm> row) {
    std::vector<u64> key;
    for (const LocalTerm& term : row) key.push_back(u64{term.local} << 32 | term.coefficient);
    return key;
  }

  const Template& form_;
  std::vector<i32> small_;   // by coefficient
  std::vector<Fr> doubled_;  // by coefficient
  std::map<std::vector<u64>, u32> wide_;
  EvaluationProgram program_;
};

}  // namespace

EvaluationProgram make_evaluation_program(const Template& form) { return ProgramMaker(form).make(); }

}  // namespace cuzk::r1cs
