#include <memory>
#include <optional>

#include "base/error.h"
#include "base/hex.h"
#include "commands/commands.h"
#include "common/files.h"
#include "common/output.h"
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
  bool json = false;
};

/// Raw bytes, or the same in hexadecimal digits.
std::vector<u8> read_proof_bytes(const std::string& path) {
  std::string text = read_file(path, 1 << 20);
  const auto end = text.find_last_not_of(" \r\n");
  const std::string trimmed = text.substr(0, end == std::string::npos ? 0 : end + 1);
  const bool is_hex = !trimmed.empty() && trimmed.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
  return is_hex ? from_hex(trimmed) : std::vector<u8>(text.begin(), text.end());
}

void verify(const VerifyOptions& options, ExitStatus& status) {
  engine::CircuitCatalog circuits(engine::default_circuit_cache());
  const auto statement = read_statement(options.request, circuits);
  const auto prover = make_prover("cpu", ThreadPool::shared());
  const keys::KeyStore keys(options.keys, engine::key_file_names, *prover);
  const groth16::Verifier verifier(keys.verifying_key(statement->circuit_id()));
  const auto reason = engine::proof_fault(*statement, verifier, read_proof_bytes(options.proof));
  JsonObject object;
  object.add("valid", !reason).add("reason", reason.value_or(""));
  print(options.json ? Form::json : Form::text, object,
        reason ? fmt::format("{}: not valid: {}", options.proof, *reason) : fmt::format("{}: valid", options.proof));
  if (reason) status = kFailed;
}

}  // namespace

void add_verify(CLI::App& program, ExitStatus& status) {
  auto options = std::make_shared<VerifyOptions>();
  auto* command =
      program.add_subcommand("verify", "Checks a proof; exit status 1 with the reason when it does not hold");
  add_request_options(*command, options->request);
  command->add_option("PROOF", options->proof, "the proof's bytes, or the same in hex")->required();
  command->add_option("--keys", options->keys, "directory of the .vk files")->capture_default_str();
  command->add_flag("--json", options->json, "print one JSON object");
  command->footer("Example: cuzk verify porep c1.json proof.bin --keys /var/tmp/filecoin-proof-parameters");
  command->callback([options, &status] { verify(*options, status); });
}

}  // namespace cuzk::apps
