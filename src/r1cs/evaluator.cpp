#include "r1cs/evaluator.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>

#include "base/error.h"
#include "r1cs/expansion.h"
#include "r1cs/local_values.h"
#include "r1cs/wide_sum.h"

namespace cuzk::r1cs {
namespace {

using Run = EvaluationProgram::Run;
using Side = EvaluationProgram::Side;
using SmallTerm = EvaluationProgram::SmallTerm;

/// The field's elements of -128 .. 127.
class SmallElements {
 public:
  SmallElements() {
    for (std::ptrdiff_t value = -kOffset; value < kOffset; ++value) {
      const Fr size = Fr::from_u64(static_cast<u64>(std::abs(value)));
      elements_[static_cast<std::size_t>(value + kOffset)] = value < 0 ? -size : size;
    }
  }
  const Fr& operator[](i32 value) const { return elements_[static_cast<std::size_t>(value + kOffset)]; }

 private:
  static constexpr std::ptrdiff_t kOffset = 128;
  std::array<Fr, 2 * kOffset> elements_;
};

const SmallElements& small_elements() {
  static const SmallElements elements;
  return elements;
}

/// Evaluates instances one after another, in memory that stays.
class InstanceEvaluator {
 public:
  explicit InstanceEvaluator(const Witness& witness) : values_(witness) {}

  void load(const Circuit& circuit, const Instance& instance, const EvaluationProgram& program) {
    form_ = &circuit.templates()[instance.template_index];
    values_.load(circuit, instance);
    if (values_.only_bits()) bytes_ = values_.bytes();
    wide_.clear();
    for (std::size_t j = 0; j < program.wide_rows(); ++j) wide_.push_back(wide_value(program.wide_row(j)));
  }

  void write(const Side& side, Fr* out) const {
    const SmallTerm* terms = side.terms.data();
    Fr* row = out;
    for (const EvaluationProgram::Block& block : side.blocks) {
      if (values_.only_bits()) {
        write_bits(block, terms, row);
      } else {
        for (u32 j = 0; j < block.rows; ++j) row[j] = mixed_value({terms + std::size_t{j} * block.terms, block.terms});
      }
      terms += std::size_t{block.rows} * block.terms;
      row += block.rows;
    }
    for (const EvaluationProgram::WideUse& use : side.wide) out[use.row] = wide_[use.wide];
  }

 private:
  void write_bits(const EvaluationProgram::Block& block, const SmallTerm* terms, Fr* out) const {
    switch (block.terms) {  // a number of terms that the compiler knows needs no inner loop
      case 0: return write_bits<0>(block.rows, terms, out);
      case 1: return write_bits<1>(block.rows, terms, out);
      case 2: return write_bits<2>(block.rows, terms, out);
      case 3: return write_bits<3>(block.rows, terms, out);
      case 4: return write_bits<4>(block.rows, terms, out);
      default: break;
    }
    for (u32 j = 0; j < block.rows; ++j) {
      i32 sum = 0;
      for (u32 i = 0; i < block.terms; ++i, ++terms) sum += terms->coefficient() * bytes_[terms->local()];
      out[j] = small_[sum];
    }
  }

  template <u32 kTerms>
  void write_bits(u32 rows, const SmallTerm* terms, Fr* out) const {
    const u8* const bytes = bytes_.data();
    for (u32 j = 0; j < rows; ++j, terms += kTerms) {
      i32 sum = 0;
      for (u32 i = 0; i < kTerms; ++i) sum += terms[i].coefficient() * bytes[terms[i].local()];
      out[j] = small_[sum];
    }
  }

  /// A small row in which field elements may occur.
  Fr mixed_value(std::span<const SmallTerm> terms) const {
    i32 integer = 0;
    Fr sum = Fr::zero();
    for (const SmallTerm& term : terms) {
      if (!values_.elements()[term.local()]) {
        integer += values_.bits()[term.local()] ? term.coefficient() : 0;
      } else if (term.coefficient() == 1) {
        sum += values_.element(term.local());
      } else if (term.coefficient() == -1) {
        sum -= values_.element(term.local());
      } else {
        sum += values_.element(term.local()) * small_[term.coefficient()];
      }
    }
    return integer == 0 ? sum : sum + small_[integer];
  }

  Fr wide_value(std::span<const Run> runs) const {
    WideSum sum;
    for (const Run& run : runs) {
      const Fr& coefficient = form_->coefficients[run.coefficient];
      if (values_.only_bits() || values_.elements().chunk(run.local, run.length) == 0) {
        const u64 integer = values_.bits().chunk(run.local, run.length);
        if (integer != 0) sum.add(integer, coefficient);
      } else {
        add_elements(sum, run, coefficient);
      }
    }
    return sum.reduce();
  }

  void add_elements(WideSum& sum, const Run& run, Fr coefficient) const {
    for (u32 local = run.local; local < run.local + run.length; ++local) {
      if (values_.elements()[local]) {
        sum.add(values_.element(local), coefficient);
      } else if (values_.bits()[local]) {
        sum.add(coefficient);
      }
      coefficient = coefficient.doubled();
    }
  }

  const SmallElements& small_ = small_elements();
  LocalValues values_;
  std::span<const u8> bytes_;
  std::vector<Fr> wide_;
  const Template* form_ = nullptr;
};

constexpr std::size_t kGrain = 2;     // instances: a slice of 26,000 constraints each must feed many threads
constexpr u64 kSlice = u64{1} << 20;  // constraints

}  // namespace

Evaluator::Evaluator(const Circuit& circuit) : circuit_(circuit) {
  for (const Template& form : circuit.templates()) programs_.push_back(make_evaluation_program(form));
}

void Evaluator::check_shape(const Witness& witness) const {
  if (witness.inputs().size() == circuit_.inputs() && witness.aux_count() == circuit_.aux()) return;
  throw internal_error("a witness of {} inputs and {} auxiliary variables for a circuit of {} and {}",
                       witness.inputs().size(), witness.aux_count(), circuit_.inputs(), circuit_.aux());
}

void Evaluator::evaluate(const Witness& witness, std::span<Fr> a, std::span<Fr> b, std::span<Fr> c,
                         ThreadPool& pool) const {
  check_shape(witness);
  for (const auto& side : {a, b, c}) {
    if (!side.empty() && side.size() < circuit_.constraints())
      throw internal_error("room for {} values of {} constraints", side.size(), circuit_.constraints());
  }
  const PlainWitness plain(witness, pool);
  evaluate_instances(*plain, 0, circuit_.instances().size(), a, b, c, pool);
  const auto appended = [&](std::span<Fr> side) {
    return side.empty() ? side : side.subspan(circuit_.gadget_constraints());
  };
  evaluate_appended(witness, appended(a), appended(b), appended(c));
}

u64 Evaluator::largest_slice() const {
  u64 largest = std::max<u64>(kSlice, circuit_.inputs());
  for (const Template& form : circuit_.templates()) largest = std::max<u64>(largest, form.constraints());
  return std::min(largest, circuit_.constraints());
}

void Evaluator::for_each_slice(const Witness& witness, ThreadPool& pool,
                               const std::function<void(const Slice&)>& visit) const {
  const u64 size = largest_slice();
  Buffer<Fr> a(size), b(size), c(size);
  for_each_slice(
      witness, pool,
      [&] {
        return Room{a.span(), b.span(), c.span()};
      },
      visit);
}

void Evaluator::for_each_slice(const Witness& witness, ThreadPool& pool, const std::function<Room()>& next_room,
                               const std::function<void(const Slice&)>& visit) const {
  check_shape(witness);
  const PlainWitness plain(witness, pool);
  const auto instances = circuit_.instances();
  const auto constraints_before = [&](std::size_t i) {
    return i < instances.size() ? instances[i].first_constraint : circuit_.gadget_constraints();
  };
  const auto show = [&](u64 begin, u64 size, const Room& room) {
    visit({begin, room.a.first(size), room.b.first(size), room.c.first(size)});
  };
  for (std::size_t first = 0, last = 0; first < instances.size(); first = last) {
    const u64 begin = constraints_before(first);
    do ++last;
    while (last < instances.size() && constraints_before(last + 1) - begin <= kSlice);
    const Room room = next_room();
    evaluate_instances(*plain, first, last, room.a, room.b, room.c, pool);
    show(begin, constraints_before(last) - begin, room);
  }
  const Room room = next_room();
  evaluate_appended(witness, room.a, room.b, room.c);
  show(circuit_.gadget_constraints(), circuit_.inputs(), room);
}

void Evaluator::evaluate_instances(const Witness& witness, std::size_t first, std::size_t last, std::span<Fr> a,
                                   std::span<Fr> b, std::span<Fr> c, ThreadPool& pool) const {
  if (first == last) return;
  const u64 begin_constraint = circuit_.instances()[first].first_constraint;
  pool.parallel_for(first, last, kGrain, [&](std::size_t begin, std::size_t end) {
    InstanceEvaluator evaluator(witness);
    for (const Instance& instance : circuit_.instances().subspan(begin, end - begin)) {
      pool.check_stop();
      const EvaluationProgram& program = programs_[instance.template_index];
      const u64 place = instance.first_constraint - begin_constraint;
      evaluator.load(circuit_, instance, program);
      if (!a.empty()) evaluator.write(program.a, a.data() + place);
      if (!b.empty()) evaluator.write(program.b, b.data() + place);
      if (!c.empty()) evaluator.write(program.c, c.data() + place);
    }
  });
}

void Evaluator::evaluate_appended(const Witness& witness, std::span<Fr> a, std::span<Fr> b, std::span<Fr> c) {
  if (!a.empty()) std::ranges::copy(witness.inputs(), a.begin());
  if (!b.empty()) std::fill_n(b.begin(), witness.inputs().size(), Fr::zero());
  if (!c.empty()) std::fill_n(c.begin(), witness.inputs().size(), Fr::zero());
}

}  // namespace cuzk::r1cs
