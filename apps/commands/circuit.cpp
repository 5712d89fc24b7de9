#include <memory>
#include <optional>

#include "base/error.h"
#include "base/hex.h"
#include "commands/commands.h"
#include "common/checkpoint_file.h"
#include "common/checks.h"
#include "common/output.h"
#include "engine/statements/circuit_catalog.h"

namespace cuzk::apps {

namespace {

struct CircuitOptions {
  std::string circuit, checkpoints;
  bool digest = false, json = false;
};

std::string describe(const r1cs::Checkpoint& row) {
  return fmt::format("{} inputs, {} aux, digest {}", row.inputs, row.aux, to_hex(row.digest));
}

bool same(const r1cs::Checkpoint& a, const r1cs::Checkpoint& b) {
  return a.constraints == b.constraints && a.inputs == b.inputs && a.aux == b.aux && a.digest == b.digest;
}

/// What differs first, with both names of the place; nothing when all rows are the same.
std::optional<std::string> first_difference(const r1cs::Circuit& circuit, const CheckpointFile& file) {
  const auto ours = checkpoints(circuit, file.every);
  for (std::size_t i = 0; i < std::min(ours.size(), file.rows.size()); ++i) {
    if (same(ours[i], file.rows[i])) continue;
    return fmt::format(
        "the first difference is in constraints {} to {}\n  here:     {}\n            {}\n"
        "  expected: {}\n            {}",
        file.rows[i].constraints - file.every, file.rows[i].constraints, describe(ours[i]), ours[i].path,
        describe(file.rows[i]), file.rows[i].path);
  }
  if (ours.size() == file.rows.size()) return std::nullopt;
  return fmt::format("{} checkpoints, expected {}", ours.size(), file.rows.size());
}

struct Figures {
  std::array<u64, 3> nonzeros;
  u64 a_aux, b_inputs, b_aux, domain;
};

Figures figures_of(const r1cs::Circuit& circuit) {
  const auto& densities = circuit.densities();
  return {circuit.nonzeros(), densities.a_aux.count(), densities.b_inputs.count(), densities.b_aux.count(),
          u64{1} << circuit.log2_domain()};
}

/// What was found out beside the figures.
struct CircuitFindings {
  std::string sha256;                     ///< empty where it was not asked for
  std::size_t checkpoints = 0;            ///< compared
  std::optional<std::string> difference;  ///< the first, with both names of the place
};

CircuitFindings examine(const CircuitOptions& options, engine::CircuitCatalog& circuits, const r1cs::Circuit& circuit) {
  CircuitFindings findings;
  if (options.digest) findings.sha256 = to_hex(circuits.network_digest(options.circuit));
  if (options.checkpoints.empty()) return findings;
  const auto file = read_checkpoints(options.checkpoints);
  findings.checkpoints = file.rows.size();
  findings.difference = first_difference(circuit, file);
  return findings;
}

JsonObject json_of(const CircuitOptions& options, const r1cs::Circuit& circuit, const CircuitFindings& findings) {
  const auto figures = figures_of(circuit);
  JsonObject nnz, density, object;
  nnz.add("a", figures.nonzeros[0]).add("b", figures.nonzeros[1]).add("c", figures.nonzeros[2]);
  density.add("a_aux", figures.a_aux).add("b_inputs", figures.b_inputs).add("b_aux", figures.b_aux);
  object.add("circuit", options.circuit).add("inputs", circuit.inputs()).add("aux", circuit.aux());
  object.add("constraints", circuit.constraints()).add("nnz", nnz).add("density", density);
  object.add("domain", figures.domain);
  if (!findings.sha256.empty()) object.add("sha256", findings.sha256);
  if (!options.checkpoints.empty()) {
    object.add("checkpoints", findings.checkpoints).add("checkpoints_agree", !findings.difference);
  }
  return object;
}

std::string text_of(const CircuitOptions& options, const r1cs::Circuit& circuit, const CircuitFindings& findings) {
  const auto figures = figures_of(circuit);
  auto text = fmt::format(
      "{}\n  inputs       {} (ONE included)\n  aux          {}\n  constraints  {}\n  non-zeros    A {}, B {}, C {}\n"
      "  density      A aux {}, B inputs {}, B aux {}\n  domain       {}",
      options.circuit, circuit.inputs(), circuit.aux(), circuit.constraints(), figures.nonzeros[0], figures.nonzeros[1],
      figures.nonzeros[2], figures.a_aux, figures.b_inputs, figures.b_aux, figures.domain);
  if (!findings.sha256.empty()) text += "\n  sha256       " + findings.sha256;
  if (!options.checkpoints.empty() && !findings.difference) {
    text += fmt::format("\n  checkpoints  all {} agree with {}", findings.checkpoints, options.checkpoints);
  }
  return text;
}

void show_circuit(const CircuitOptions& options, ExitStatus& status) {
  engine::CircuitCatalog circuits(engine::default_circuit_cache());
  const auto circuit = circuits.get(options.circuit);
  const auto findings = examine(options, circuits, *circuit);
  print(options.json ? Form::json : Form::text, json_of(options, *circuit, findings),
        text_of(options, *circuit, findings));
  if (!findings.difference) return;
  note(fmt::format("{}: {}", options.checkpoints, *findings.difference));
  status = kFailed;
}

}  // namespace

void add_circuit(CLI::App& program, ExitStatus& status) {
  auto options = std::make_shared<CircuitOptions>();
  auto* command = program.add_subcommand("circuit", "Shows the figures of a circuit");
  command->add_option("CIRCUIT", options->circuit, "such as porep-2k")->required()->check(circuit_id());
  command->add_flag("--digest", options->digest, "also the SHA-256 of the canonical stream of constraints");
  command->add_option("--checkpoints", options->checkpoints,
                      "compare with a file of checkpoints: whether all agree, or where the first difference is");
  command->add_flag("--json", options->json, "print one JSON object");
  command->footer("Example: cuzk circuit porep-2k --digest");
  command->callback([options, &status] { show_circuit(*options, status); });
}

}  // namespace cuzk::apps
