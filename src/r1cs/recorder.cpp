#include "r1cs/recorder.h"

namespace cuzk::r1cs {

Recorder::Recorder(std::string gadget, u32 externals) {
  template_.gadget = std::move(gadget);
  template_.externals = externals;
}

void Recorder::enforce(LinearCombination a, LinearCombination b, LinearCombination c) {
  add_row(template_.a, a);
  add_row(template_.b, b);
  add_row(template_.c, c);
  template_.allocated.push_back(template_.own);
}

u32 Recorder::local(Variable variable) const {
  return variable.is_input() ? variable.index() : 1 + template_.externals + variable.index();
}

u32 Recorder::coefficient(const Fr& value) {
  const auto [entry, is_new] = coefficients_.try_emplace(value, static_cast<u32>(template_.coefficients.size()));
  if (is_new) template_.coefficients.push_back(value);
  return entry->second;
}

void Recorder::add_row(RecordedTemplate::Rows& rows, LinearCombination& combination) {
  for (const Term& term : combination.canonicalize().terms()) {
    rows.terms.push_back({local(term.variable), coefficient(term.coefficient)});
  }
  rows.starts.push_back(static_cast<u32>(rows.terms.size()));
}

}  // namespace cuzk::r1cs
