// The constraints of a circuit in order: as terms, and as the canonical stream of bytes.
#include <algorithm>
#include <bit>
#include <cstring>

#include "hash/sha256.h"
#include "r1cs/circuit.h"

namespace cuzk::r1cs {
namespace {

/// The variables of one instance by local number.
std::vector<Variable> local_variables(const Circuit& circuit, const Instance& instance) {
  const Template& form = circuit.templates()[instance.template_index];
  std::vector<Variable> variables{kOne};
  variables.reserve(form.locals());
  for (const VariableRun& run : circuit.runs(instance)) {
    for (u32 i = 0; i < run.count; ++i) {
      const u32 index = run.first.index() + i;
      variables.push_back(run.first.is_input() ? Variable::input(index) : Variable::aux(index));
    }
  }
  for (u32 i = 0; i < form.own; ++i) variables.push_back(Variable::aux(instance.first_aux + i));
  return variables;
}

/// Writes the canonical stream into SHA-256, a buffer at a time. A term is two stores: the stream is as long as the
/// constraints of a large circuit (28 GB for a partition of 32 GiB), and hashing should be all that it costs.
class StreamHasher {
 public:
  explicit StreamHasher(const Circuit& circuit) : circuit_(circuit), buffer_(kBuffer + kSlack) {
    for (const Template& form : circuit.templates()) {
      std::vector<Fr::Bytes> bytes;
      for (const Fr& coefficient : form.coefficients) bytes.push_back(coefficient.to_bytes());
      coefficients_.push_back(std::move(bytes));
    }
  }

  void begin(const Instance& instance) {
    heads_.clear();
    for (const Variable variable : local_variables(circuit_, instance)) heads_.push_back(head_of(variable));
    form_ = &circuit_.templates()[instance.template_index];
    bytes_ = coefficients_[instance.template_index].data();
  }

  void add_constraint(u32 row) {
    add_row(form_->a.row(row));
    add_row(form_->b.row(row));
    add_row(form_->c.row(row));
  }

  void add_appended(u32 input) {
    add_u32(1);
    add_term(head_of(Variable::input(input)), Fr::one().to_bytes());
    add_u32(0);
    add_u32(0);
  }

  Digest digest() {
    flush();
    return Sha256(hash_).update(std::span(buffer_).first(used_)).finish();
  }

 private:
  static constexpr std::size_t kBuffer = 1 << 15;
  static constexpr std::size_t kSlack = 64;  // what one step writes at most
  static constexpr std::size_t kHeadBytes = 5, kTermBytes = kHeadBytes + Fr::kBytes;

  /// The five bytes before a term's coefficient, lowest first.
  static u64 head_of(Variable variable) { return u64{variable.index()} << 8 | (variable.is_input() ? 0 : 1); }

  void add_row(std::span<const LocalTerm> terms) {
    add_u32(static_cast<u32>(terms.size()));
    for (const LocalTerm& term : terms) add_term(heads_[term.local], bytes_[term.coefficient]);
  }

  void add_term(u64 head, const Fr::Bytes& coefficient) {
    store(head);
    std::memcpy(buffer_.data() + used_ + kHeadBytes, coefficient.data(), Fr::kBytes);
    advance(kTermBytes);
  }

  void add_u32(u32 value) {
    store(value);
    advance(sizeof value);
  }

  /// Eight bytes, lowest first; those that are not meant are overwritten by what follows.
  void store(u64 value) {
    if constexpr (std::endian::native == std::endian::big) value = __builtin_bswap64(value);
    std::memcpy(buffer_.data() + used_, &value, sizeof value);
  }

  void advance(std::size_t bytes) {
    used_ += bytes;
    if (used_ >= kBuffer) flush();
  }

  /// Hashes whole blocks; the rest moves to the front.
  void flush() {
    const std::size_t whole = used_ - used_ % kSha256Block;
    hash_.update(std::span(buffer_).first(whole));
    std::memmove(buffer_.data(), buffer_.data() + whole, used_ - whole);
    used_ -= whole;
  }

  const Circuit& circuit_;
  std::vector<std::vector<Fr::Bytes>> coefficients_;  // by template
  std::vector<u64> heads_;                            // of the instance's variables
  const Template* form_ = nullptr;
  const Fr::Bytes* bytes_ = nullptr;
  std::vector<u8> buffer_;
  std::size_t used_ = 0;
  Sha256 hash_;
};

/// Streams the whole circuit; calls after(instance or null, constraints so far) after each constraint.
template <class After>
Digest stream(const Circuit& circuit, After&& after) {
  StreamHasher hasher(circuit);
  u64 count = 0;
  for (const Instance& instance : circuit.instances()) {
    hasher.begin(instance);
    const u32 rows = circuit.templates()[instance.template_index].constraints();
    for (u32 row = 0; row < rows; ++row) {
      hasher.add_constraint(row);
      after(hasher, &instance, row, ++count);
    }
  }
  for (u32 input = 0; input < circuit.inputs(); ++input) {
    hasher.add_appended(input);
    after(hasher, nullptr, input, ++count);
  }
  return hasher.digest();
}

}  // namespace

void Circuit::for_each_constraint(const std::function<void(const Constraint&)>& visit) const {
  std::array<std::vector<Term>, 3> sides;
  for (const Instance& instance : form_.instances) {
    const Template& form = form_.templates[instance.template_index];
    const std::vector<Variable> variables = local_variables(*this, instance);
    for (u32 row = 0; row < form.constraints(); ++row) {
      const std::array<std::span<const LocalTerm>, 3> rows{form.a.row(row), form.b.row(row), form.c.row(row)};
      for (std::size_t side = 0; side < 3; ++side) {
        sides[side].clear();
        for (const LocalTerm& term : rows[side]) {
          sides[side].push_back({variables[term.local], form.coefficients[term.coefficient]});
        }
      }
      visit({sides[0], sides[1], sides[2]});
    }
  }
  for (u32 input = 0; input < form_.inputs; ++input) {
    const Term term{Variable::input(input), Fr::one()};
    visit({std::span(&term, 1), {}, {}});
  }
}

std::array<u8, 32> Circuit::digest() const {
  return stream(*this, [](StreamHasher&, const Instance*, u32, u64) {});
}

std::vector<Checkpoint> checkpoints(const Circuit& circuit, u64 every) {
  std::vector<Checkpoint> rows;
  stream(circuit, [&](StreamHasher& hasher, const Instance* instance, u32 row, u64 count) {
    if (count % every != 0) return;
    Checkpoint point{count, circuit.inputs(), circuit.aux(), hasher.digest(), circuit.path(count - 1)};
    if (instance != nullptr) {
      point.inputs = instance->inputs;
      point.aux = instance->first_aux + circuit.templates()[instance->template_index].allocated[row];
    }
    rows.push_back(std::move(point));
  });
  return rows;
}

}  // namespace cuzk::r1cs
