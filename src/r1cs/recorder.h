/// The constraint system of one template: gadget code runs against it once for each shape of its inputs.
///
/// The variables are local: Variable::input(0) is ONE, Variable::input(k + 1) is external k, Variable::aux(i) is the
/// template's i-th own variable.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "r1cs/linear_combination.h"
#include "r1cs/template.h"

namespace cuzk::r1cs {

/// What a Recorder wrote: a Template's content before it has its place in a circuit.
struct RecordedTemplate {
  struct Rows {
    std::vector<u32> starts{0};
    std::vector<LocalTerm> terms;
  };
  struct NamedMark {
    u32 constraint;
    std::string name;
  };

  std::string gadget;
  u32 externals = 0, own = 0;
  Rows a, b, c;
  std::vector<Fr> coefficients;
  std::vector<u32> allocated;
  std::vector<NamedMark> marks;

  u32 constraints() const { return static_cast<u32>(allocated.size()); }
};

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

  RecordedTemplate finish() && { return std::move(template_); }

 private:
  struct HashFr {
    std::size_t operator()(const Fr& x) const { return x.montgomery_form()[0] ^ (x.montgomery_form()[3] << 7); }
  };

  u32 local(Variable variable) const;
  u32 coefficient(const Fr& value);
  void add_row(RecordedTemplate::Rows& rows, LinearCombination& combination);

  RecordedTemplate template_;
  std::unordered_map<Fr, u32, HashFr> coefficients_;
};

}  // namespace cuzk::r1cs
