#include "r1cs/circuit.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace cuzk::r1cs {
namespace {

/// Which local variables occur in some rows.
std::vector<bool> occurrences(const Template& form, const SparseRows& rows) {
  std::vector<bool> occurs(form.locals());
  for (const LocalTerm& term : rows.terms) occurs[term.local] = true;
  return occurs;
}

class DensityWalk {
 public:
  explicit DensityWalk(const Circuit& circuit)
      : circuit_(circuit),
        result_{.a_aux = BitVector(circuit.aux()),
                .b_inputs = BitVector(circuit.inputs()),
                .b_aux = BitVector(circuit.aux())} {}

  Densities run() && {
    for (const Template& form : circuit_.templates()) {
      in_a_.push_back(occurrences(form, form.a));
      in_b_.push_back(occurrences(form, form.b));
    }
    for (const Instance& instance : circuit_.instances()) add(instance);
    return std::move(result_);
  }

 private:
  void add(const Instance& instance) {
    const auto& in_a = in_a_[instance.template_index];
    const auto& in_b = in_b_[instance.template_index];
    if (in_b[0]) result_.b_inputs.set(0);
    std::size_t local = 1;
    for (const VariableRun& run : circuit_.runs(instance)) {
      for (u32 i = 0; i < run.count; ++i, ++local) mark(run.first, i, in_a[local], in_b[local]);
    }
    const Variable own = Variable::aux(instance.first_aux);
    for (u32 i = 0; local < in_a.size(); ++i, ++local) mark(own, i, in_a[local], in_b[local]);
  }

  void mark(Variable first, u32 offset, bool in_a, bool in_b) {
    const u32 index = first.index() + offset;
    if (first.is_input()) {
      if (in_b) result_.b_inputs.set(index);
    } else {
      if (in_a) result_.a_aux.set(index);
      if (in_b) result_.b_aux.set(index);
    }
  }

  const Circuit& circuit_;
  Densities result_;
  std::vector<std::vector<bool>> in_a_, in_b_;  // by template
};

}  // namespace

Circuit::Circuit(Buffer<u8> image)
    : storage_(std::move(image)), form_(read_image(this->image(), "circuit in memory")) {}

std::span<const u8> Circuit::image() const { return storage_.span(); }

unsigned Circuit::log2_domain() const { return static_cast<unsigned>(std::bit_width(constraints() - 1)); }

const Densities& Circuit::densities() const {
  std::call_once(derived_->counted, [&] { derived_->densities = DensityWalk(*this).run(); });
  return derived_->densities;
}

std::array<u64, 3> Circuit::nonzeros() const {
  std::array<u64, 3> counts{form_.inputs, 0, 0};  // the appended constraints have one term of A each
  for (const Instance& instance : form_.instances) {
    const Template& form = form_.templates[instance.template_index];
    counts[0] += form.a.terms.size();
    counts[1] += form.b.terms.size();
    counts[2] += form.c.terms.size();
  }
  return counts;
}

std::string Circuit::path(u64 constraint) const {
  if (constraint >= form_.gadget_constraints)
    return "input " + std::to_string(constraint - form_.gadget_constraints) + " * 0 = 0";
  const auto next = std::upper_bound(form_.instances.begin(), form_.instances.end(), constraint,
                                     [](u64 j, const Instance& instance) { return j < instance.first_constraint; });
  const Instance& instance = *std::prev(next);
  const Template& form = form_.templates[instance.template_index];
  const u64 row = constraint - instance.first_constraint;

  std::string path(form.gadget);
  for (u32 scope = instance.scope; scope != 0; scope = form_.scopes[scope].outer) {
    path = fmt::format("{}/{}", form_.name(form_.scopes[scope].name), path);
  }
  const auto after = std::upper_bound(form.marks.begin(), form.marks.end(), row,
                                      [](u64 j, const Mark& mark) { return j < mark.constraint; });
  if (after != form.marks.begin()) path.append("/").append(form_.name(std::prev(after)->name));
  return path + "/" + std::to_string(row);
}

}  // namespace cuzk::r1cs
