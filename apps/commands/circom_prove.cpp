#include "commands/circom_prove.h"

#include <span>

#include "base/error.h"
#include "base/hex.h"
#include "base/random.h"
#include "common/circom_files.h"
#include "common/exit_status.h"
#include "common/files.h"
#include "engine/satisfaction.h"
#include "groth16/circom/zkey_prover.h"
#include "r1cs/circom/r1cs_file.h"
#include "r1cs/circom/wtns_file.h"

namespace cuzk::apps {
namespace {

void check_use(const CircomStatement& statement) {
  if (statement.zkey.empty() == statement.r1cs.empty()) throw UsageError("--zkey or --r1cs: one of the two is needed");
  if (statement.wtns.empty()) throw UsageError("--wtns: the witness is needed");
  if (statement.r1cs.empty() != statement.params.empty()) throw UsageError("--r1cs and --params: only together");
}

/// The witness is as secret here as everywhere.
class WipedWires {
 public:
  explicit WipedWires(const std::string& path) : wires_(r1cs::read_wires(std::filesystem::path(path))) {}
  ~WipedWires() { wipe({reinterpret_cast<u8*>(wires_.data()), wires_.size() * sizeof(Fr)}); }
  WipedWires(const WipedWires&) = delete;
  WipedWires& operator=(const WipedWires&) = delete;

  std::span<const Fr> span() const { return wires_; }

 private:
  r1cs::Wires wires_;
};

std::vector<Fr> publics_of(std::span<const Fr> wires, u32 count) {
  const auto publics = wires.subspan(1, count);
  return {publics.begin(), publics.end()};
}

CircomProof prove_with_zkey(const CircomStatement& statement, const groth16::BlindingSource& blinding,
                            const groth16::Control& control) {
  ThreadPool& pool = ThreadPool::shared();
  const auto key = groth16::read_zkey(std::filesystem::path(statement.zkey), groth16::KeyCheck::points, pool, control);
  const WipedWires wires(statement.wtns);
  if (wires.span().size() != key.wires) {
    throw invalid_input("{}: {} wires, expected {} of {}", statement.wtns, wires.span().size(), key.wires,
                        statement.zkey);
  }
  const auto proof = groth16::prove_zkey_verified(key, wires.span(), pool, control, blinding);
  return {proof, publics_of(wires.span(), key.publics), {}};
}

CircomProof prove_with_circuit(const CircomStatement& statement, groth16::Prover& prover,
                               const groth16::BlindingSource& blinding, const groth16::Control& control) {
  const auto [numbers, circuit] = r1cs::read_r1cs(statement.r1cs);
  const WipedWires wires(statement.wtns);
  if (wires.span().size() != numbers.wires) {
    throw invalid_input("{}: {} wires, expected {} of {}", statement.wtns, wires.span().size(), numbers.wires,
                        statement.r1cs);
  }
  const auto witness = r1cs::witness_of_wires(wires.span(), numbers.publics());
  if (const auto constraint = engine::first_unsatisfied(circuit, witness, ThreadPool::shared())) {
    throw invalid_input("{}: constraint {} of {} does not hold", statement.wtns, *constraint, statement.r1cs);
  }
  const auto key = prover.load_key(statement.params, groth16::KeyCheck::points, control);
  const auto made = groth16::prove_verified(prover, {*key, circuit, witness}, control, blinding);
  return {made.proof, publics_of(wires.span(), numbers.publics()), {}};
}

}  // namespace

void add_circom_options(CLI::App& command, CircomStatement& statement) {
  const std::string group = "Circuits of circom (BLS12-381)";
  const auto add = [&](const char* name, std::string& value, const char* text) {
    command.add_option(name, value, text)->group(group);
  };
  add("--zkey", statement.zkey, "snarkjs' proving key; the proof is made by the processor");
  add("--r1cs", statement.r1cs, "the circuit, to be proved with a key of cuzk setup --r1cs");
  add("--params", statement.params, "with --r1cs: the .params file");
  add("--wtns", statement.wtns, "the witness");
  add("--proof", statement.proof, "file for the proof: snarkjs' JSON where it ends in .json, else 192 bytes");
  add("--public", statement.public_inputs, "file for the public inputs, snarkjs' JSON");
}

CircomProof prove_circom(const CircomStatement& statement,
                         const std::function<std::unique_ptr<groth16::Prover>()>& make_prover,
                         const groth16::BlindingSource& blinding) {
  check_use(statement);
  for (const auto& path : {statement.proof, statement.public_inputs}) {
    if (!path.empty()) check_can_write(path);
  }
  Trace trace;
  groth16::Control control;
  control.trace = &trace;
  CircomProof made = statement.zkey.empty() ? prove_with_circuit(statement, *make_prover(), blinding, control)
                                            : prove_with_zkey(statement, blinding, control);
  made.timings_ms = trace.totals_ms();
  if (!statement.proof.empty()) write_any(statement.proof, made.proof);
  if (!statement.public_inputs.empty()) write_public_inputs(statement.public_inputs, made.public_inputs);
  return made;
}

void print_circom_proof(Form form, const CircomStatement& statement, const CircomProof& made) {
  JsonObject timings, object;
  std::string text;
  for (const auto& [stage, ms] : made.timings_ms) {
    timings.add(stage, ms);
    text += fmt::format("  {:<10} {:>10.2f} s\n", stage, ms / 1000);
  }
  const std::string hex = to_hex(made.proof.to_bytes());
  object.add("proof", hex).add("verified", true).add("partitions", 1);
  object.add("public_inputs", made.public_inputs.size()).add("timings_ms", timings);
  text += statement.proof.empty() ? hex + "\n" : fmt::format("{}\n", statement.proof);
  print(form, object, text + fmt::format("1 proof of {} public inputs made and verified", made.public_inputs.size()));
}

}  // namespace cuzk::apps
