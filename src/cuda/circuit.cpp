#include "cuda/circuit.h"

#include <algorithm>

#include "base/error.h"
#include "cuda/bit_ranks.h"
#include "r1cs/evaluation_program.h"

namespace cuzk::cuda {
namespace {

using r1cs::EvaluationProgram;

constexpr i32 kSmallElements = 128;  // of either sign

/// All programs' arrays side by side, and for each program where its own begin.
class ProgramTables {
 public:
  struct Place {
    std::size_t a_starts, a_terms, b_starts, b_terms, c_starts, c_terms;
    std::size_t wide_starts, runs, coefficients;
  };

  ProgramTables() {
    for (i32 value = -kSmallElements; value < kSmallElements; ++value) {
      const Fr size = Fr::from_u64(static_cast<u64>(std::abs(value)));
      coefficients.push_back(value < 0 ? -size : size);
    }
  }

  Place add(const r1cs::Template& form, const EvaluationProgram& program) {
    if (program.wide_rows() >= EvaluationProgram::SmallTerm::kLocals)
      throw internal_error("{}: {} wide rows", form.gadget, program.wide_rows());
    Place place{};
    add_side(program.a, place.a_starts, place.a_terms);
    add_side(program.b, place.b_starts, place.b_terms);
    add_side(program.c, place.c_starts, place.c_terms);
    place.wide_starts = starts.size();
    starts.insert(starts.end(), program.wide_starts.begin(), program.wide_starts.end());
    place.runs = runs.size();
    for (const auto& run : program.runs) runs.push_back({run.local, run.length, run.coefficient});
    place.coefficients = coefficients.size();
    coefficients.insert(coefficients.end(), form.coefficients.begin(), form.coefficients.end());
    return place;
  }

  std::vector<u32> starts;
  std::vector<PackedTerm> terms;
  std::vector<ProgramRun> runs;
  std::vector<Fr> coefficients;

 private:
  void add_side(const EvaluationProgram::Side& side, std::size_t& first_start, std::size_t& first_term) {
    first_start = starts.size();
    first_term = terms.size();
    const EvaluationProgram::SmallTerm* term = side.terms.data();
    auto wide = side.wide.begin();
    u32 row = 0;
    for (const EvaluationProgram::Block& block : side.blocks) {
      for (u32 j = 0; j < block.rows; ++j, ++row) {
        starts.push_back(static_cast<u32>(terms.size() - first_term));
        for (u32 i = 0; i < block.terms; ++i, ++term)
          terms.push_back(PackedTerm::small(term->local(), term->coefficient()));
        if (wide != side.wide.end() && wide->row == row) terms.push_back(PackedTerm::wide((wide++)->wide));
      }
    }
    starts.push_back(static_cast<u32>(terms.size() - first_term));
  }
};

Density upload_density(const Queue& queue, const BitVector& bits) {
  Density density{.words = upload<u64>(queue.memory, bits.words(), queue.stream), .before = {}};
  density.before = bits_before(queue, density.words.span());
  return density;
}

std::vector<u32> set_places(const BitVector& bits) {
  std::vector<u32> places;
  for (u32 i = 0; i < bits.size(); ++i) {
    if (bits[i]) places.push_back(i);
  }
  return places;
}

std::vector<PlacedRun> placed_runs(const r1cs::Circuit& circuit) {
  std::vector<PlacedRun> placed;
  for (const r1cs::Instance& instance : circuit.instances()) {
    u32 local = 1;  // behind ONE
    for (const r1cs::VariableRun& run : circuit.runs(instance)) {
      const u32 kind = run.first.is_input() ? PlacedRun::kInput : 0;
      placed.push_back({run.first.index() | kind, run.count, local});
      local += run.count;
    }
  }
  return placed;
}

}  // namespace

DeviceCircuit::DeviceCircuit(const Queue& queue, const r1cs::Circuit& circuit)
    : inputs_(circuit.inputs()),
      gadget_constraints_(circuit.gadget_constraints()),
      log2_domain_(circuit.log2_domain()),
      a_aux_(upload_density(queue, circuit.densities().a_aux)),
      b_aux_(upload_density(queue, circuit.densities().b_aux)),
      b_inputs_(set_places(circuit.densities().b_inputs)) {
  upload_programs(queue, circuit);
  upload_instances(queue, circuit);
  queue.stream.synchronize();
}

void DeviceCircuit::upload_programs(const Queue& queue, const r1cs::Circuit& circuit) {
  ProgramTables tables;
  std::vector<ProgramTables::Place> places;
  std::vector<Program> programs;
  for (const r1cs::Template& form : circuit.templates()) {
    const EvaluationProgram program = r1cs::make_evaluation_program(form);
    places.push_back(tables.add(form, program));
    Program& sized = programs.emplace_back();
    sized.externals = form.externals;
    sized.own = form.own;
    sized.rows = form.constraints();
    sized.wide_rows = static_cast<u32>(program.wide_rows());
    tables_.most_locals = std::max(tables_.most_locals, sized.locals());
    tables_.most_wide_rows = std::max(tables_.most_wide_rows, sized.wide_rows);
  }
  starts_ = upload<u32>(queue.memory, tables.starts, queue.stream);
  terms_ = upload<PackedTerm>(queue.memory, tables.terms, queue.stream);
  program_runs_ = upload<ProgramRun>(queue.memory, tables.runs, queue.stream);
  coefficients_ = upload<Fr>(queue.memory, tables.coefficients, queue.stream);
  for (std::size_t i = 0; i < programs.size(); ++i) {
    const ProgramTables::Place& place = places[i];
    programs[i].a = {starts_.data() + place.a_starts, terms_.data() + place.a_terms};
    programs[i].b = {starts_.data() + place.b_starts, terms_.data() + place.b_terms};
    programs[i].c = {starts_.data() + place.c_starts, terms_.data() + place.c_terms};
    programs[i].wide_starts = starts_.data() + place.wide_starts;
    programs[i].runs = program_runs_.data() + place.runs;
    programs[i].coefficients = coefficients_.data() + place.coefficients;
  }
  programs_ = upload<Program>(queue.memory, programs, queue.stream);
  tables_.programs = programs_.data();
  tables_.small_elements = coefficients_.data();
  queue.stream.synchronize();  // the host's tables end here
}

void DeviceCircuit::upload_instances(const Queue& queue, const r1cs::Circuit& circuit) {
  std::vector<PlacedInstance> instances;
  u32 first_run = 0;
  for (const r1cs::Instance& instance : circuit.instances()) {
    instances.push_back(
        {instance.template_index, instance.first_aux, instance.first_constraint, first_run, instance.runs});
    first_run += instance.runs;
  }
  const std::vector<PlacedRun> runs = placed_runs(circuit);
  instances_ = upload<PlacedInstance>(queue.memory, instances, queue.stream);
  runs_ = upload<PlacedRun>(queue.memory, runs, queue.stream);
  tables_.instances = instances_.data();
  tables_.runs = runs_.data();
  tables_.count = static_cast<u32>(instances.size());
  queue.stream.synchronize();  // the host's tables end here
}

}  // namespace cuzk::cuda
