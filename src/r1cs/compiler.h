/// The builder that makes a Circuit: it keeps variables and constraints, no values.
///
/// A circuit is a function template over its builder, `template <class Builder> void synthesize(Builder&, const
/// Input&)`: run with a Compiler it gives the matrices (the values of the input do not matter, only its shape), run
/// with a WitnessBuilder the values. Gadgets are overloaded for the two.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <unordered_map>

#include "r1cs/circuit.h"
#include "r1cs/recorder.h"

namespace cuzk::r1cs {

/// What Compiler::place takes. key() names the gadget with all parameters that its constraints depend on; record()
/// writes the constraints and returns the outputs.
template <class G>
concept Gadget = requires(const G& gadget, Recorder& recorder, std::span<const Signal> inputs) {
  { gadget.key() } -> std::convertible_to<std::string>;
  { gadget.record(recorder, inputs) } -> std::convertible_to<std::vector<Signal>>;
};

class Compiler {
 public:
  using Number = Signal;             ///< a field element: always a variable
  using Bits = std::vector<Signal>;  ///< a string of bits

  Compiler() = default;

  /// A new public input. The value is the WitnessBuilder's business.
  Variable alloc_input();

  /// A new auxiliary variable that no constraint mentions yet.
  Number alloc_number(const Fr& = Fr::zero());

  /// Adds the gadget's constraints and own variables; throws Error{internal} when the circuit has 2^31 variables.
  template <Gadget G>
  std::vector<Signal> place(const G& gadget, std::span<const Signal> inputs) {
    const Shape shape = shape_of(gadget.key(), inputs);
    u32 index = find(shape);
    if (index == kNone) {
      Recorder recorder(gadget.key(), static_cast<u32>(shape.externals.size()));
      std::vector<Signal> outputs = gadget.record(recorder, shape.inputs);
      index = add_template(shape, std::move(recorder).finish(), std::move(outputs));
    }
    return add_instance(index, shape);
  }

  /// Names what is placed until the scope ends; scopes nest.
  class Scope {
   public:
    ~Scope() { compiler_.scope_ = outer_; }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    friend class Compiler;
    Scope(Compiler& compiler, std::string name);
    Compiler& compiler_;
    u32 outer_;
  };
  [[nodiscard]] Scope scope(std::string name) { return Scope(*this, std::move(name)); }

  Circuit finish() &&;

 private:
  static constexpr u32 kNone = UINT32_MAX;

  /// The inputs of a placement, apart from where their variables stand.
  struct Shape {
    std::string key;                  // gadget, and by input: constant, or rank of its variable and sign
    std::vector<Signal> inputs;       // with local variables
    std::vector<Variable> externals;  // ascending
  };

  static Shape shape_of(std::string gadget, std::span<const Signal> inputs);
  u32 find(const Shape& shape) const;
  u32 add_template(const Shape& shape, RecordedTemplate recorded, std::vector<Signal> outputs);
  std::vector<Signal> add_instance(u32 index, const Shape& shape);
  void add_runs(std::span<const Variable> externals);

  CircuitParts parts_;
  std::unordered_map<std::string, u32> index_;
  std::vector<std::vector<Signal>> outputs_;  // by template, local
  u32 scope_ = 0;
};

}  // namespace cuzk::r1cs
