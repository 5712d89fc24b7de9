// a = A w, b = B w, c = C w, template by template.
//
// Most variables are bits and most coefficients small, so a row is mostly a sum of small integers over the ones: it is
// kept in a machine word, and only what does not fit there is done in the field.
#include <algorithm>

#include "base/error.h"
#include "r1cs/circuit.h"

namespace cuzk::r1cs {
namespace {

constexpr i64 kSmallest = 1 << 20;  // sums of 2^32 such terms stay in 64 bits

/// A coefficient as an integer of at most 20 bits, or 0 where it is none (no coefficient is 0).
i64 small_integer(const Fr& coefficient) {
  const auto small = [](const Fr::Integer& x) {
    return x[1] == 0 && x[2] == 0 && x[3] == 0 && x[0] < u64{kSmallest} ? static_cast<i64>(x[0]) : 0;
  };
  const i64 positive = small(coefficient.to_integer());
  return positive != 0 ? positive : -small((-coefficient).to_integer());
}

std::vector<i64> small_integers(const Template& form) {
  std::vector<i64> result;
  for (const Fr& coefficient : form.coefficients) result.push_back(small_integer(coefficient));
  return result;
}

Fr field_element(i64 value) {
  if (value == 0) return Fr::zero();
  if (value == 1) return Fr::one();
  return value > 0 ? Fr::from_u64(static_cast<u64>(value)) : -Fr::from_u64(u64{0} - static_cast<u64>(value));
}

/// The values of one instance's variables by local number.
class LocalValues {
 public:
  enum class Kind : u8 { zero, one, element };

  explicit LocalValues(const Witness& witness) : witness_(witness) {}

  void load(const Circuit& circuit, const Instance& instance) {
    const Template& form = circuit.templates()[instance.template_index];
    kinds_.resize(std::max<std::size_t>(kinds_.size(), form.locals()));
    elements_.resize(kinds_.size());
    kinds_[0] = Kind::one;
    std::size_t local = 1;
    for (const VariableRun& run : circuit.runs(instance)) {
      if (run.first.is_input()) {
        for (u32 i = 0; i < run.count; ++i) set(local + i, witness_.inputs()[run.first.index() + i]);
      } else {
        load_aux(local, run.first.index(), run.count);
      }
      local += run.count;
    }
    load_aux(local, instance.first_aux, form.own);
  }

  Kind kind(u32 local) const { return kinds_[local]; }
  const Fr& element(u32 local) const { return elements_[local]; }

 private:
  void set(std::size_t local, const Fr& value) {
    kinds_[local] = Kind::element;
    elements_[local] = value;
  }

  void load_aux(std::size_t local, u32 first, u32 count) {
    if (count == 0) return;
    for (const Segment* segment = &witness_.segment_of(first); count > 0; ++segment) {
      const u32 skip = first - segment->first;
      const u32 taken = std::min(count, segment->count - skip);
      load_segment(local, *segment, segment->start + skip, taken);
      local += taken;
      first += taken;
      count -= taken;
    }
  }

  void load_segment(std::size_t local, const Segment& segment, std::size_t start, u32 count) {
    if (segment.kind == Segment::Kind::elements) {
      for (u32 i = 0; i < count; ++i) set(local + i, witness_.elements()[start + i]);
    } else {
      const BitSpan bits = witness_.bits();
      for (u32 i = 0; i < count; ++i) kinds_[local + i] = bits[start + i] ? Kind::one : Kind::zero;
    }
  }

  const Witness& witness_;
  std::vector<Kind> kinds_;
  std::vector<Fr> elements_;  // only where the kind says so
};

Fr row_value(std::span<const LocalTerm> terms, const Template& form, std::span<const i64> small,
             const LocalValues& values) {
  i64 integer = 0;
  Fr sum = Fr::zero();
  for (const LocalTerm& term : terms) {
    const LocalValues::Kind kind = values.kind(term.local);
    if (kind == LocalValues::Kind::zero) continue;
    const i64 coefficient = small[term.coefficient];
    if (kind == LocalValues::Kind::one) {
      if (coefficient != 0) {
        integer += coefficient;
      } else {
        sum += form.coefficients[term.coefficient];
      }
    } else if (coefficient == 1) {
      sum += values.element(term.local);
    } else if (coefficient == -1) {
      sum -= values.element(term.local);
    } else {
      sum += values.element(term.local) * form.coefficients[term.coefficient];
    }
  }
  return integer == 0 ? sum : sum + field_element(integer);
}

void check_shapes(const Circuit& circuit, const Witness& witness, std::size_t room) {
  if (witness.inputs().size() != circuit.inputs() || witness.aux_count() != circuit.aux()) {
    throw internal_error("a witness of {} inputs and {} auxiliary variables for a circuit of {} and {}",
                         witness.inputs().size(), witness.aux_count(), circuit.inputs(), circuit.aux());
  }
  if (room < circuit.constraints()) {
    throw internal_error("room for {} values of {} constraints", room, circuit.constraints());
  }
}

}  // namespace

void Circuit::evaluate(const Witness& witness, std::span<Fr> a, std::span<Fr> b, std::span<Fr> c,
                       ThreadPool& pool) const {
  check_shapes(*this, witness, std::min({a.size(), b.size(), c.size()}));
  std::vector<std::vector<i64>> small;
  for (const Template& form : form_.templates) small.push_back(small_integers(form));

  pool.parallel_for(0, form_.instances.size(), 8, [&](std::size_t begin, std::size_t end) {
    LocalValues values(witness);
    for (std::size_t i = begin; i < end; ++i) {
      const Instance& instance = form_.instances[i];
      const Template& form = form_.templates[instance.template_index];
      const std::span<const i64> integers = small[instance.template_index];
      values.load(*this, instance);
      for (u32 row = 0; row < form.constraints(); ++row) {
        const u64 j = instance.first_constraint + row;
        a[j] = row_value(form.a.row(row), form, integers, values);
        b[j] = row_value(form.b.row(row), form, integers, values);
        c[j] = row_value(form.c.row(row), form, integers, values);
      }
    }
  });
  for (u32 i = 0; i < form_.inputs; ++i) {
    const u64 j = form_.gadget_constraints + i;
    a[j] = witness.inputs()[i];
    b[j] = c[j] = Fr::zero();
  }
}

}  // namespace cuzk::r1cs
