#include "r1cs/circom/r1cs_file.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/error.h"
#include "base/mapped_file.h"
#include "r1cs/circom/binfile.h"
#include "r1cs/compiler.h"

namespace cuzk::r1cs {
namespace {

constexpr Binfile::Format kFormat{"r1cs", 1};

/// Small enough that threads share a circuit, large enough that templates cost nothing beside their constraints.
constexpr u32 kBlock = 1024;

constexpr u64 kMaxConstraints = u64{1} << 28;  // the largest domain's
constexpr u64 kMaxWires = u64{1} << 31;

constexpr std::size_t kTermBytes = sizeof(u32) + Fr::kBytes;
constexpr std::size_t kSmallestConstraint = 3 * sizeof(u32);

CircomNumbers read_numbers(const Binfile& file) {
  SectionReader header = file.section(1, "header");
  header.expect_prime(scalar_prime(), "the prime");
  CircomNumbers numbers;
  numbers.wires = header.take_u32("the number of wires");
  numbers.outputs = header.take_u32("the number of outputs");
  numbers.public_inputs = header.take_u32("the number of public inputs");
  numbers.private_inputs = header.take_u32("the number of private inputs");
  header.take_u64("the number of labels");
  numbers.constraints = header.take_u32("the number of constraints");
  header.expect_end();
  return numbers;
}

void check_numbers(const Binfile& file, const CircomNumbers& numbers) {
  const u64 named = u64{1} + numbers.outputs + numbers.public_inputs + numbers.private_inputs;
  if (numbers.wires < named || numbers.wires >= kMaxWires) {
    throw invalid_input(
        "{}: section 1 (header): {} wires, expected at least {} for ONE, outputs and inputs, and below 2^31",
        file.source(), numbers.wires, named);
  }
  file.section(3, "labels of wires").expect_rest(numbers.wires, 8, "the labels of wires");
  const SectionReader constraints = file.section(2, "constraints");
  if (numbers.constraints > constraints.rest().size() / kSmallestConstraint) {
    throw invalid_input("{}: {} bytes, expected at least {} for {} constraints", constraints.name(),
                        constraints.rest().size(), u64{numbers.constraints} * kSmallestConstraint, numbers.constraints);
  }
  if (u64{numbers.constraints} + numbers.wires > kMaxConstraints) {
    throw invalid_input("{}: {} constraints and {} wires, expected at most 2^28 together", file.source(),
                        numbers.constraints, numbers.wires);
  }
}

void refuse_custom_gates(const Binfile& file) {
  if (!file.has(4)) return;
  const u32 gates = file.section(4, "custom gates").take_u32("the number of custom gates");
  if (gates != 0) {
    throw invalid_input("{}: section 4 (custom gates): {} gates, expected none: they are PLONK's", file.source(),
                        gates);
  }
}

/// One side of a constraint as it lies in the file: terms of u32 wire and coefficient.
using Side = std::span<const u8>;

u32 wire_of(Side side, std::size_t term) {
  u32 wire = 0;
  for (std::size_t i = 4; i-- > 0;) wire = wire << 8 | side[term * kTermBytes + i];
  return wire;
}

/// By wire: whether it occurs in a constraint, terms that cancel not counted.
using Occurs = std::vector<bool>;

Variable variable_of(u32 wire, u32 publics) {
  return wire <= publics ? Variable::input(wire) : Variable::aux(wire - publics - 1);
}

/// The constraints first .. first + sides.size() - 1 of a file, all of their wires known to exist.
class Block {
 public:
  /// `occurs` outlives it and is filled when it is placed.
  Block(SectionReader& reader, u32 first, u32 count, const CircomNumbers& numbers, Occurs& occurs)
      : first_(first), publics_(numbers.publics()), source_(reader.name()), occurs_(occurs) {
    for (u32 i = 0; i < count; ++i) sides_.push_back(read_constraint(reader, first + i, numbers));
    std::ranges::sort(wires_);
    wires_.erase(std::unique(wires_.begin(), wires_.end()), wires_.end());
  }

  std::string key() const { return fmt::format("constraints from {}", first_); }

  /// The block's variables but ONE, each once.
  std::vector<Signal> signals() const {
    std::vector<Signal> signals;
    for (const u32 wire : wires_) signals.emplace_back(variable_of(wire, publics_));
    return signals;
  }

  std::vector<Signal> record(Recorder& recorder, std::span<const Signal> inputs) const {
    for (u32 i = 0; i < sides_.size(); ++i) {
      const auto& [a, b, c] = sides_[i];
      recorder.enforce(combination(a, i, inputs), combination(b, i, inputs), combination(c, i, inputs));
    }
    return {};
  }

 private:
  std::array<Side, 3> read_constraint(SectionReader& reader, u32 index, const CircomNumbers& numbers) {
    std::array<Side, 3> sides;
    for (Side& side : sides) {
      const u32 terms = reader.take_u32(fmt::format("constraint {}: the number of terms", index));
      side = reader.take(u64{terms} * kTermBytes, fmt::format("constraint {}: {} terms", index, terms));
      for (std::size_t i = 0; i < terms; ++i) add_wire(wire_of(side, i), index, numbers);
    }
    return sides;
  }

  void add_wire(u32 wire, u32 constraint, const CircomNumbers& numbers) {
    if (wire >= numbers.wires) {
      throw invalid_input("{}: constraint {}: wire {}, expected one below {}", source_, constraint, wire,
                          numbers.wires);
    }
    if (wire != 0) wires_.push_back(wire);
  }

  LinearCombination combination(Side side, u32 index, std::span<const Signal> inputs) const {
    LinearCombination sum;
    for (std::size_t i = 0; i < side.size() / kTermBytes; ++i) {
      const u32 wire = wire_of(side, i);
      const Fr coefficient = read_element(side.subspan(i * kTermBytes + 4), [&] {
        return fmt::format("{}: constraint {}: coefficient of wire {}", source_, first_ + index, wire);
      });
      if (wire == 0) {
        sum.add(kOne, coefficient);
      } else {
        sum.add(inputs[static_cast<std::size_t>(std::ranges::lower_bound(wires_, wire) - wires_.begin())], coefficient);
      }
    }
    note(sum.canonicalize());
    return sum;
  }

  /// Terms are of ONE or of an external, which stands for one of the block's wires.
  void note(const LinearCombination& sum) const {
    for (const Term& term : sum.terms()) {
      if (term.variable != kOne) occurs_[wires_[term.variable.index() - 1]] = true;
    }
  }

  u32 first_, publics_;
  std::string source_;
  std::vector<std::array<Side, 3>> sides_;
  std::vector<u32> wires_;
  Occurs& occurs_;
};

/// w * 0 = 0 for wires that occur nowhere.
struct Unused {
  static std::string key() { return "wires that occur nowhere"; }
  static std::vector<Signal> record(Recorder& recorder, std::span<const Signal> inputs) {
    for (const Signal& input : inputs) recorder.enforce(input, {}, {});
    return {};
  }
};

/// In blocks of constraints, as the others.
void place_unused(Compiler& compiler, const Occurs& occurs, u32 publics) {
  std::vector<Signal> unused;
  for (u32 wire = publics + 1; wire < occurs.size(); ++wire) {
    if (!occurs[wire]) unused.emplace_back(variable_of(wire, publics));
    if (unused.size() == kBlock || (wire + 1 == occurs.size() && !unused.empty())) {
      compiler.place(Unused{}, unused);
      unused.clear();
    }
  }
}

}  // namespace

CircomCircuit compile_r1cs(std::span<const u8> bytes, const std::string& source) {
  const Binfile file(bytes, kFormat, source);
  const CircomNumbers numbers = read_numbers(file);
  check_numbers(file, numbers);
  refuse_custom_gates(file);
  Compiler compiler;
  for (u32 i = 0; i < numbers.publics(); ++i) compiler.alloc_input();
  for (u32 i = numbers.publics() + 1; i < numbers.wires; ++i) compiler.alloc_number();
  SectionReader reader = file.section(2, "constraints");
  Occurs occurs(numbers.wires);
  for (u32 first = 0; first < numbers.constraints; first += kBlock) {
    const Block block(reader, first, std::min(kBlock, numbers.constraints - first), numbers, occurs);
    compiler.place(block, block.signals());
  }
  reader.expect_end();
  place_unused(compiler, occurs, numbers.publics());
  return {numbers, std::move(compiler).finish()};
}

CircomCircuit read_r1cs(const std::filesystem::path& path) {
  const MappedFile file(path);
  return compile_r1cs(file.bytes(), path.string());
}

}  // namespace cuzk::r1cs
