#include "r1cs/linear_combination.h"

#include <algorithm>

namespace cuzk::r1cs {

LinearCombination LinearCombination::constant(const Fr& value) { return LinearCombination().add(kOne, value); }

LinearCombination& LinearCombination::add(Signal signal, const Fr& coefficient) {
  if (signal.is_zero()) return *this;
  if (signal.is_plain()) return add(signal.variable(), coefficient);
  add(kOne, coefficient);
  return signal.is_one() ? *this : add(signal.variable(), -coefficient);
}

LinearCombination& LinearCombination::add(const LinearCombination& other, const Fr& coefficient) {
  const std::size_t count = other.terms_.size();  // other may be *this
  terms_.reserve(terms_.size() + count);
  for (std::size_t i = 0; i < count; ++i) {
    const Term term = other.terms_[i];
    terms_.push_back({term.variable, term.coefficient * coefficient});
  }
  return *this;
}

LinearCombination operator*(LinearCombination x, const Fr& factor) {
  for (Term& term : x.terms_) term.coefficient *= factor;
  return x;
}

LinearCombination& LinearCombination::canonicalize() {
  std::stable_sort(terms_.begin(), terms_.end(), [](const Term& x, const Term& y) { return x.variable < y.variable; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < terms_.size();) {
    Term merged = terms_[i++];
    while (i < terms_.size() && terms_[i].variable == merged.variable) merged.coefficient += terms_[i++].coefficient;
    if (!merged.coefficient.is_zero()) terms_[kept++] = merged;
  }
  terms_.erase(terms_.begin() + static_cast<std::ptrdiff_t>(kept), terms_.end());
  return *this;
}

}  // namespace cuzk::r1cs
