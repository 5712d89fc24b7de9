#include "r1cs/compiler.h"

#include <algorithm>

#include "base/error.h"

namespace cuzk::r1cs {
namespace {

constexpr u64 kMaxVariables = u64{1} << 31;

void append_u32(std::string& text, u32 value) {
  for (unsigned shift = 0; shift < 32; shift += 8) text.push_back(static_cast<char>(value >> shift));
}

std::vector<Variable> distinct_variables(std::span<const Signal> signals) {
  std::vector<Variable> variables;
  variables.reserve(signals.size());
  for (const Signal& signal : signals) {
    if (!signal.is_constant()) variables.push_back(signal.variable());
  }
  if (!std::is_sorted(variables.begin(), variables.end())) std::sort(variables.begin(), variables.end());
  variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
  return variables;
}

u32 rank(std::span<const Variable> ascending, Variable variable) {
  return static_cast<u32>(std::lower_bound(ascending.begin(), ascending.end(), variable) - ascending.begin());
}

Signal with_variable(Signal signal, Variable variable) {
  return signal.is_negated() ? !Signal(variable) : Signal(variable);
}

}  // namespace

Compiler::Scope::Scope(Compiler& compiler, std::string name) : compiler_(compiler), outer_(compiler.scope_) {
  auto& scopes = compiler.parts_.scopes;
  scopes.push_back({outer_, std::move(name)});
  compiler.scope_ = static_cast<u32>(scopes.size() - 1);
}

Variable Compiler::alloc_input() {
  if (parts_.inputs + u64{1} >= kMaxVariables) throw internal_error("a circuit of more than 2^31 public inputs");
  return Variable::input(parts_.inputs++);
}

Compiler::Number Compiler::alloc_number(const Fr&) {
  if (parts_.aux + u64{1} >= kMaxVariables) throw internal_error("a circuit of more than 2^31 variables");
  return Variable::aux(parts_.aux++);
}

Compiler::Shape Compiler::shape_of(std::string gadget, std::span<const Signal> inputs) {
  Shape shape{std::move(gadget), {}, distinct_variables(inputs)};
  shape.key.push_back('\0');
  shape.key.reserve(shape.key.size() + 4 * inputs.size());
  shape.inputs.reserve(inputs.size());
  for (const Signal& signal : inputs) {
    if (signal.is_constant()) {
      append_u32(shape.key, signal.is_one() ? 1 : 0);
      shape.inputs.push_back(signal);
    } else {
      const u32 external = rank(shape.externals, signal.variable());
      append_u32(shape.key, 2 * external + (signal.is_negated() ? 3 : 2));
      shape.inputs.push_back(with_variable(signal, Recorder::external(external)));
    }
  }
  return shape;
}

u32 Compiler::find(const Shape& shape) const {
  const auto entry = index_.find(shape.key);
  return entry == index_.end() ? kNone : entry->second;
}

u32 Compiler::add_template(const Shape& shape, RecordedTemplate recorded, std::vector<Signal> outputs) {
  const u32 index = static_cast<u32>(parts_.templates.size());
  parts_.templates.push_back(std::move(recorded));
  outputs_.push_back(std::move(outputs));
  index_.emplace(shape.key, index);
  return index;
}

std::vector<Signal> Compiler::add_instance(u32 index, const Shape& shape) {
  const RecordedTemplate& form = parts_.templates[index];
  if (u64{parts_.aux} + form.own >= kMaxVariables) throw internal_error("a circuit of more than 2^31 variables");
  const u32 first_aux = parts_.aux;
  if (form.constraints() + form.own > 0) {
    const u32 first_run = static_cast<u32>(parts_.runs.size());
    add_runs(shape.externals);
    parts_.instances.push_back({.template_index = index,
                                .first_aux = first_aux,
                                .first_constraint = parts_.gadget_constraints,
                                .first_run = first_run,
                                .runs = static_cast<u32>(parts_.runs.size()) - first_run,
                                .inputs = parts_.inputs,
                                .scope = scope_});
  }
  parts_.aux += form.own;
  parts_.gadget_constraints += form.constraints();

  std::vector<Signal> outputs = outputs_[index];
  for (Signal& output : outputs) {
    if (output.is_constant()) continue;
    const Variable local = output.variable();
    output = with_variable(
        output, local.is_input() ? shape.externals[local.index() - 1] : Variable::aux(first_aux + local.index()));
  }
  return outputs;
}

void Compiler::add_runs(std::span<const Variable> externals) {
  for (std::size_t i = 0; i < externals.size();) {
    const Variable first = externals[i];
    u32 count = 1;
    while (i + count < externals.size() && externals[i + count].is_input() == first.is_input() &&
           externals[i + count].index() == first.index() + count) {
      ++count;
    }
    parts_.runs.push_back({first, count});
    i += count;
  }
}

Circuit Compiler::finish() && { return Circuit(write_image(parts_)); }

}  // namespace cuzk::r1cs
