#include <memory>
#include <optional>

#include "base/error.h"
#include "commands/commands.h"
#include "common/circom_files.h"
#include "common/output.h"
#include "common/positionals.h"
#include "common/provers.h"
#include "common/requests.h"
#include "engine/proof_check.h"
#include "groth16/verifier.h"
#include "keys/key_store.h"

namespace cuzk::apps {

namespace {

struct VerifyOptions {
  RequestOptions request;
  std::string proof;
  std::string keys = keys::default_key_directory().string();
  std::string vk, proof_file, public_inputs;  ///< of circom's circuits
  bool json = false;
};

/// What becomes of `cuzk verify --vk`: nothing when the proof holds, else the reason.
std::optional<std::string> circom_fault(const VerifyOptions& options) {
  const auto key = read_any_verifying_key(options.vk);
  const auto inputs = read_public_inputs(options.public_inputs);
  const auto proof = read_any_proof(options.proof_file);
  if (inputs.size() != key.public_inputs()) {
    return fmt::format("{}: {} public inputs, expected {}", options.public_inputs, inputs.size(), key.public_inputs());
  }
  if (groth16::Verifier(key).verify(proof, inputs)) return std::nullopt;
  return "the proof does not hold for these public inputs and this key";
}

void report(const VerifyOptions& options, const std::string& proof, const std::optional<std::string>& reason,
            ExitStatus& status) {
  JsonObject object;
  object.add("valid", !reason).add("reason", reason.value_or(""));
  print(options.json ? Form::json : Form::text, object,
        reason ? fmt::format("{}: not valid: {}", proof, *reason) : fmt::format("{}: valid", proof));
  if (reason) status = kFailed;
}

void verify(const VerifyOptions& options, ExitStatus& status) {
  engine::CircuitCatalog circuits(engine::default_circuit_cache());
  const auto statement = read_statement(options.request, circuits);
  const auto prover = make_prover("cpu", ThreadPool::shared());
  const keys::KeyStore keys(options.keys, engine::key_file_names, *prover);
  const groth16::Verifier verifier(keys.verifying_key(statement->circuit_id()));
  report(options, options.proof, engine::proof_fault(*statement, verifier, read_proof_bytes(options.proof)), status);
}

void verify_circom(const VerifyOptions& options, ExitStatus& status) {
  if (options.proof_file.empty() || options.public_inputs.empty()) {
    throw UsageError("--vk: --proof and --public are needed too");
  }
  if (!options.request.kind.empty()) throw UsageError("--vk: without KIND, INPUT and PROOF");
  report(options, options.proof_file, circom_fault(options), status);
}

}  // namespace

void add_verify(CLI::App& program, ExitStatus& status) {
  auto options = std::make_shared<VerifyOptions>();
  auto* command =
      program.add_subcommand("verify", "Checks a proof; exit status 1 with the reason when it does not hold");
  add_request_options(*command, options->request);
  command->add_option("PROOF", options->proof, "the proof's bytes, or the same in hex")->required();
  auto* vk = command->add_option("--vk", options->vk, "a circuit of circom: snarkjs' verifying key, a .zkey or a .vk");
  command->add_option("--proof", options->proof_file, "with --vk: snarkjs' proof.json, or 192 bytes")->needs(vk);
  command->add_option("--public", options->public_inputs, "with --vk: snarkjs' public.json")->needs(vk);
  make_optional(*command, {"KIND", "INPUT", "PROOF"});
  command->add_option("--keys", options->keys, "directory of the .vk files")->capture_default_str();
  command->add_flag("--json", options->json, "print one JSON object");
  command->footer(
      "Example: cuzk verify porep c1.json proof.bin --keys /var/tmp/filecoin-proof-parameters\n"
      "         cuzk verify --vk vk.json --proof proof.json --public public.json");
  command->callback([command, options, &status] {
    if (!options->vk.empty()) return verify_circom(*options, status);
    require_given(*command, {"KIND", "INPUT", "PROOF"});
    verify(*options, status);
  });
}

}  // namespace cuzk::apps
