/// The constraint system of one template: gadget code runs against it once for each shape of its inputs.
///
/// The variables are local: Variable::input(0) is ONE, Variable::input(k + 1) is external k, Variable::aux(i) is the
/// template's i-th own variable.
#pragma once

#include <string>
#include <unordered_map>

#include "r1cs/linear_combination.h"
#include "r1cs/template.h"

namespace cuzk::r1cs {

class Recorder {
 public:
  Recorder(std::string gadget, u32 externals);

  static Variable external(u32 index) { return Variable::input(index + 1); }

  /// A new variable without any constraint.
  Variable alloc() { return Variable::aux(template_.own++); }

  /// a * b = c; like terms are merged and terms that cancel are dropped.
  void enforce(LinearCombination a, LinearCombination b, LinearCombination c);

  /// Names the constraints from here on, for messages.
  void mark(std::string name) { template_.marks.push_back({template_.constraints(), std::move(name)}); }

  Template finish() && { return std::move(template_); }

 private:
  struct HashFr {
    std::size_t operator()(const Fr& x) const { return x.montgomery_form()[0] ^ (x.montgomery_form()[3] << 7); }
  };

  u32 local(Variable variable) const;
  u32 coefficient(const Fr& value);
  void add_row(SparseRows& rows, LinearCombination& combination);

  Template template_;
  std::unordered_map<Fr, u32, HashFr> coefficients_;
};

}  // namespace cuzk::r1cs
