#include "r1cs/expansion.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "hash/poseidon_batch.h"

namespace cuzk::r1cs {
namespace {

/// The traces of all hashes of one form among some segments, in order.
class FormTraces {
 public:
  explicit FormTraces(const PoseidonForm& form) : form_(form), size_(PoseidonKind::of(form).trace_size()) {}

  const PoseidonForm& form() const { return form_; }
  void add(std::span<const Fr> inputs) { inputs_.insert(inputs_.end(), inputs.begin(), inputs.end()); }
  void compute() {
    traces_ = Buffer<Fr>(inputs_.size() / form_.arity * size_);
    poseidon_traces(PoseidonKind::of(form_), inputs_, traces_.span());
  }
  std::span<const Fr> next() { return traces_.span().subspan(size_ * next_++, size_); }
  std::size_t values() const { return traces_.size(); }

 private:
  PoseidonForm form_;
  std::size_t size_, next_ = 0;
  std::vector<Fr> inputs_;
  Buffer<Fr> traces_;
};

/// The traces of some segments: a circuit has few forms.
class Traces {
 public:
  Traces(const Witness& witness, std::span<const Segment> segments) {
    for (const Segment& segment : segments)
      if (segment.kind == Segment::Kind::hash) of(segment.form).add(witness.hash_inputs(segment));
    for (FormTraces& traces : forms_) traces.compute();
  }

  std::span<const Fr> next(const PoseidonForm& form) { return of(form).next(); }
  std::size_t values() const {
    std::size_t sum = 0;
    for (const FormTraces& traces : forms_) sum += traces.values();
    return sum;
  }

 private:
  FormTraces& of(const PoseidonForm& form) {
    const auto found = std::ranges::find(forms_, form, &FormTraces::form);
    return found != forms_.end() ? *found : forms_.emplace_back(form);
  }

  std::vector<FormTraces> forms_;
};

std::size_t given_elements(std::span<const Segment> segments) {
  std::size_t sum = 0;
  for (const Segment& segment : segments)
    if (segment.kind == Segment::Kind::elements) sum += segment.count;
  return sum;
}

/// All values of a witness that are no bits.
std::size_t all_elements(const Witness& witness) { return witness.aux_count() - witness.bits().size(); }

}  // namespace

Witness expanded(const Witness& witness, std::span<const Segment> segments) {
  Traces traces(witness, segments);
  Witness part;
  part.reserve({.elements = traces.values() + given_elements(segments)});
  for (const Segment& segment : segments) {
    if (segment.kind == Segment::Kind::hash)
      part.add_elements(traces.next(segment.form));
    else
      part.add_segments(witness, {&segment, 1});
  }
  return part;
}

std::size_t expanded_memory(const Witness& witness) {
  return witness.bits().size() / 8 + (witness.inputs().size() + all_elements(witness)) * sizeof(Fr);
}

Witness expanded(const Witness& witness, ThreadPool& pool) {
  Witness whole;
  whole.reserve({.inputs = witness.inputs().size(), .bits = witness.bits().size(), .elements = all_elements(witness)});
  for (const Fr& input : witness.inputs().subspan(1)) whole.add_input(input);
  const std::span<const Segment> segments = witness.segments();
  const std::size_t at_once = 2 * std::size_t{pool.threads()} * kExpandedTogether;
  for (std::size_t first = 0; first < segments.size(); first += at_once) {
    const auto some = segments.subspan(first, std::min(at_once, segments.size() - first));
    std::vector<Witness> parts((some.size() + kExpandedTogether - 1) / kExpandedTogether);
    pool.parallel_for(0, parts.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const auto behind = some.subspan(i * kExpandedTogether);
        parts[i] = expanded(witness, behind.first(std::min(kExpandedTogether, behind.size())));
      }
    });
    for (const Witness& part : parts) whole.add_segments(part, part.segments());
  }
  return whole;
}

}  // namespace cuzk::r1cs
