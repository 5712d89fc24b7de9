// Sums down the columns of A, B, C: every instance sums its local columns, then adds them to the whole.
#include <mutex>

#include "base/error.h"
#include "r1cs/circuit.h"

namespace cuzk::r1cs {
namespace {

/// A vector that many threads add to; stripes of it have their own locks.
class SharedSums {
 public:
  SharedSums(u32 inputs, u32 aux) : inputs_(inputs), sums_(std::size_t{inputs} + aux, Fr::zero()) {}

  void add(Variable first, std::span<const Fr> values) {
    std::size_t index = first.is_input() ? first.index() : inputs_ + std::size_t{first.index()};
    for (std::size_t i = 0; i < values.size();) {
      const std::size_t count = std::min(kStripe - index % kStripe, values.size() - i);
      const std::lock_guard lock(locks_[index / kStripe % locks_.size()]);
      for (std::size_t k = 0; k < count; ++k) sums_[index + k] += values[i + k];
      index += count;
      i += count;
    }
  }

  std::vector<Fr> take() && { return std::move(sums_); }

 private:
  static constexpr std::size_t kStripe = 4096;
  std::size_t inputs_;
  std::vector<Fr> sums_;
  std::array<std::mutex, 64> locks_;
};

/// -1, 0 (anything else) or 1: what needs no multiplication.
std::vector<int> signs(const Template& form) {
  std::vector<int> result;
  for (const Fr& coefficient : form.coefficients) {
    result.push_back(coefficient.is_one() ? 1 : (-coefficient).is_one() ? -1 : 0);
  }
  return result;
}

void sum_columns(const SparseRows& rows, const Template& form, std::span<const int> signs, std::span<const Fr> weights,
                 std::vector<Fr>& sums) {
  sums.assign(form.locals(), Fr::zero());
  for (u32 row = 0; row < form.constraints(); ++row) {
    const Fr& weight = weights[row];
    for (const LocalTerm& term : rows.row(row)) {
      const int sign = signs[term.coefficient];
      if (sign > 0) {
        sums[term.local] += weight;
      } else if (sign < 0) {
        sums[term.local] -= weight;
      } else {
        sums[term.local] += weight * form.coefficients[term.coefficient];
      }
    }
  }
}

void add_locals(const Circuit& circuit, const Instance& instance, std::span<const Fr> sums, SharedSums& whole) {
  whole.add(kOne, sums.first(1));
  std::size_t local = 1;
  for (const VariableRun& run : circuit.runs(instance)) {
    whole.add(run.first, sums.subspan(local, run.count));
    local += run.count;
  }
  whole.add(Variable::aux(instance.first_aux), sums.subspan(local));
}

}  // namespace

ColumnSums Circuit::column_sums(std::span<const Fr> weights, ThreadPool& pool) const {
  if (weights.size() < constraints())
    throw internal_error("{} weights for {} constraints", weights.size(), constraints());
  std::vector<std::vector<int>> sign_tables;
  for (const Template& form : form_.templates) sign_tables.push_back(signs(form));

  SharedSums a(form_.inputs, form_.aux), b(form_.inputs, form_.aux), c(form_.inputs, form_.aux);
  pool.parallel_for(0, form_.instances.size(), 8, [&](std::size_t begin, std::size_t end) {
    std::vector<Fr> sums;
    for (std::size_t i = begin; i < end; ++i) {
      pool.check_stop();
      const Instance& instance = form_.instances[i];
      const Template& form = form_.templates[instance.template_index];
      const auto own_weights = weights.subspan(instance.first_constraint, form.constraints());
      const auto& table = sign_tables[instance.template_index];
      sum_columns(form.a, form, table, own_weights, sums);
      add_locals(*this, instance, sums, a);
      sum_columns(form.b, form, table, own_weights, sums);
      add_locals(*this, instance, sums, b);
      sum_columns(form.c, form, table, own_weights, sums);
      add_locals(*this, instance, sums, c);
    }
  });
  a.add(kOne, weights.subspan(form_.gadget_constraints, form_.inputs));  // input_i * 0 = 0
  return {std::move(a).take(), std::move(b).take(), std::move(c).take()};
}

}  // namespace cuzk::r1cs
