// `cuzk import` and `cuzk export`: files of circom and snarkjs looked at, and turned from one form into another.
#include <memory>
#include <optional>

#include "base/error.h"
#include "commands/circom.h"
#include "common/circom_files.h"
#include "common/files.h"
#include "common/output.h"
#include "engine/satisfaction.h"
#include "groth16/circom/zkey.h"
#include "r1cs/circom/r1cs_file.h"
#include "r1cs/circom/wtns_file.h"

namespace cuzk::apps {
namespace {

struct ImportOptions {
  std::string file, wtns;
  bool json = false;

  Form form() const { return json ? Form::json : Form::text; }
};

/// The first constraint that a witness breaks; its number of wires must be the circuit's.
std::optional<u64> first_broken(const ImportOptions& options, const r1cs::CircomCircuit& circuit) {
  const auto wires = r1cs::read_wires(std::filesystem::path(options.wtns));
  if (wires.size() != circuit.numbers.wires) {
    throw invalid_input("{}: {} wires, expected {} of {}", options.wtns, wires.size(), circuit.numbers.wires,
                        options.file);
  }
  const auto witness = r1cs::witness_of_wires(wires, circuit.numbers.publics());
  return engine::first_unsatisfied(circuit.circuit, witness, ThreadPool::shared());
}

void import_circuit(const ImportOptions& options, ExitStatus& status) {
  const auto circuit = r1cs::read_r1cs(options.file);
  const auto& numbers = circuit.numbers;
  const auto nonzeros = circuit.circuit.nonzeros();
  const u64 domain = u64{1} << circuit.circuit.log2_domain();
  JsonObject object, nnz;
  nnz.add("a", nonzeros[0]).add("b", nonzeros[1]).add("c", nonzeros[2]);
  object.add("kind", "r1cs").add("wires", numbers.wires).add("outputs", numbers.outputs);
  object.add("public_inputs", numbers.public_inputs).add("private_inputs", numbers.private_inputs);
  object.add("constraints", numbers.constraints).add("nnz", nnz).add("domain", domain);
  std::string text = fmt::format(
      "{}: a circuit of circom\n  wires        {} (ONE included)\n  outputs      {}\n  inputs       {} public, {} "
      "private\n"
      "  constraints  {}\n  non-zeros    A {}, B {}, C {}\n  domain       {}",
      options.file, numbers.wires, numbers.outputs, numbers.public_inputs, numbers.private_inputs, numbers.constraints,
      nonzeros[0], nonzeros[1], nonzeros[2], domain);
  if (!options.wtns.empty()) {
    const auto broken = first_broken(options, circuit);
    object.add("satisfied", !broken);
    text += broken ? fmt::format("\n  {}: constraint {} does not hold", options.wtns, *broken)
                   : fmt::format("\n  {}: all constraints hold", options.wtns);
    if (broken) status = kFailed;
  }
  print(options.form(), object, text);
}

void import_key(const ImportOptions& options) {
  const auto key =
      groth16::read_zkey(std::filesystem::path(options.file), groth16::KeyCheck::subgroups, ThreadPool::shared(), {});
  const u64 domain = u64{1} << key.log2_domain;
  JsonObject object;
  object.add("kind", "zkey").add("wires", key.wires).add("public_inputs", key.publics).add("domain", domain);
  object.add("terms_a", key.a_rows.terms.size()).add("terms_b", key.b_rows.terms.size());
  print(options.form(), object,
        fmt::format("{}: a Groth16 key of snarkjs; every point is on its curve and in its subgroup\n  wires   {} (ONE "
                    "included), {} public\n  terms   A {}, B {}\n  domain  {}",
                    options.file, key.wires, key.publics, key.a_rows.terms.size(), key.b_rows.terms.size(), domain));
}

void import_witness(const ImportOptions& options) {
  const auto wires = r1cs::read_wires(std::filesystem::path(options.file));
  JsonObject object;
  object.add("kind", "wtns").add("wires", wires.size());
  print(options.form(), object, fmt::format("{}: a witness of {} wires", options.file, wires.size()));
}

void import_file(const ImportOptions& options, ExitStatus& status) {
  const CircomFile kind = kind_of_file(options.file);
  if (!options.wtns.empty() && kind != CircomFile::r1cs) throw UsageError("--wtns: only with a .r1cs file");
  switch (kind) {
    case CircomFile::r1cs: return import_circuit(options, status);
    case CircomFile::zkey: return import_key(options);
    case CircomFile::wtns: return import_witness(options);
    case CircomFile::other: break;
  }
  throw invalid_input("{}: does not begin with r1cs, wtns or zkey: not a file of circom or snarkjs", options.file);
}

struct ExportOptions {
  std::string vk, proof, out;
};

void export_file(const ExportOptions& options) {
  if (options.vk.empty() == options.proof.empty()) throw UsageError("--vk or --proof: one of the two is needed");
  check_can_write(options.out);
  if (!options.proof.empty()) {
    write_any(options.out, read_any_proof(options.proof));
  } else {
    const auto key = read_any_verifying_key(options.vk);
    if (key.delta_g1.is_infinity() && !options.out.ends_with(".json")) {
      throw invalid_input("{}: has no beta and delta of G1, which a .vk needs; expected a .vk or a .zkey", options.vk);
    }
    write_any(options.out, key);
  }
  note(options.out);
}

}  // namespace

void add_import(CLI::App& program, ExitStatus& status) {
  auto options = std::make_shared<ImportOptions>();
  auto* command = program.add_subcommand("import", "Reads a .r1cs, .zkey or .wtns file with every check and shows it");
  command->add_option("FILE", options->file, "of circom or snarkjs, over BLS12-381")->required();
  command->add_option("--wtns", options->wtns, "with a .r1cs: whether this witness satisfies every constraint");
  command->add_flag("--json", options->json, "print one JSON object");
  command->footer("Example: cuzk import circuit.r1cs --wtns witness.wtns");
  command->callback([options, &status] { import_file(*options, status); });
}

void add_export(CLI::App& program, ExitStatus&) {
  auto options = std::make_shared<ExportOptions>();
  auto* command = program.add_subcommand("export", "Turns verifying keys and proofs into snarkjs' JSON, and back");
  command->add_option("--vk", options->vk, "a .vk, a .zkey or snarkjs' JSON");
  command->add_option("--proof", options->proof, "192 bytes, the same in hex, or snarkjs' JSON");
  command->add_option("--out", options->out, "JSON where it ends in .json, else cuzk's bytes")->required();
  command->footer("Example: cuzk export --vk circuit.zkey --out vk.json");
  command->callback([options] { export_file(*options); });
}

}  // namespace cuzk::apps
