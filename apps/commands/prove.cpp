#include <fstream>
#include <functional>
#include <memory>
#include <numeric>

#include "base/error.h"
#include "base/hex.h"
#include "commands/circom_prove.h"
#include "commands/commands.h"
#include "commands/remote_prove.h"
#include "common/connection_options.h"
#include "common/files.h"
#include "common/output.h"
#include "common/positionals.h"
#include "common/progress_bar.h"
#include "common/provers.h"
#include "common/requests.h"
#include "common/scalars.h"
#include "engine/engine.h"
#include "keys/key_store.h"

namespace cuzk::apps {

namespace {

struct ProveOptions {
  RequestOptions request;
  std::string keys = keys::default_key_directory().string();
  std::string out;
  ConnectionOptions daemon;
  std::string device = "auto";
  u64 vram_limit = 0;
  std::string request_id;
  std::vector<std::string> fixed_rs;
  CircomStatement circom;
  bool json = false;
};

#ifdef CUZK_INSECURE
std::vector<Fr> parse_scalars(const std::string& text, const std::string& name) {
  std::vector<Fr> result;
  for (const auto& part : CLI::detail::split(text, ',')) {
    result.push_back(parse_scalar(part, fmt::format("--insecure-fixed-rs: {} of partition {}", name, result.size())));
  }
  return result;
}

engine::PartitionBlinding fixed_blinding(const std::vector<std::string>& texts) {
  if (texts.empty()) return {};
  const auto r = parse_scalars(texts[0], "r"), s = parse_scalars(texts[1], "s");
  if (r.size() != s.size()) throw UsageError(fmt::format("--insecure-fixed-rs: {} r and {} s", r.size(), s.size()));
  return [r, s](std::size_t partition) {
    if (partition < r.size()) return groth16::Blinding::insecure_fixed(r[partition], s[partition]);
    throw invalid_input("--insecure-fixed-rs: r and s of {} partitions, none for partition {}", r.size(), partition);
  };
}
#else
engine::PartitionBlinding fixed_blinding(const std::vector<std::string>&) { return {}; }
#endif

/// Done so far, in parts of a thousand: partitions, and the stage where it tells.
void show(ProgressBar& bar, const engine::JobView& view) {
  if (view.stage_total != 0) {
    bar.show(view.stage, view.stage_done, view.stage_total);
  } else {
    bar.show(view.stage, view.partitions > 1 ? view.partitions_done : 0, view.partitions > 1 ? view.partitions : 0);
  }
}

engine::Engine::Result wait_with_bar(engine::Engine& engine, const engine::JobId& id) {
  ProgressBar bar;
  for (;;) {
    if (auto result = engine.wait(id, engine::Clock::now() + std::chrono::milliseconds(100))) return result;
    show(bar, engine.view(id));
  }
}

FinishedProof prove_here(const ProveOptions& options) {
  engine::CircuitCatalog circuits(engine::default_circuit_cache());
  const auto decoder = make_decoder(options.request.kind, circuits);
  ThreadPool& pool = ThreadPool::shared();
  const auto prover = make_prover(options.device, pool, options.vram_limit, KeyUse::once);
  keys::KeyStore keys(options.keys, engine::key_file_names, *prover, groth16::KeyCheck::points,
                      keys::default_digest_memory());
  engine::Engine engine(*decoder, {{*prover, keys}});
  engine::ProofRequest request;
  request.request_id = options.request.input;
  request.input = read_input(options.request);
  request.blinding = fixed_blinding(options.fixed_rs);
  const auto result = wait_with_bar(engine, engine.submit(std::move(request)).id);
  if (result->state != engine::JobState::completed)
    throw Error(result->code, options.request.input + ": " + result->message);
  return {result->proof, result->timings.stages_ms};
}

FinishedProof prove_there(const ProveOptions& options) {
  if (!options.fixed_rs.empty()) throw UsageError("--insecure-fixed-rs: only without --connect");
  if (options.request.kind == "toy") throw UsageError("toy: only without --connect");
  return prove_remotely(options.daemon, read_input(options.request), options.request_id);
}

std::string seconds_text(double ms) { return fmt::format("{:.2f} s", ms / 1000); }

std::string lines_of(const ProveOptions& options, const FinishedProof& proof, std::size_t partitions) {
  std::string text;
  for (const auto& [stage, ms] : proof.timings_ms) text += fmt::format("  {:<10} {:>10}\n", stage, seconds_text(ms));
  text +=
      options.out.empty() ? to_hex(proof.bytes) + "\n" : fmt::format("{}: {} bytes\n", options.out, proof.bytes.size());
  return text + fmt::format("{} {} made and verified", partitions, partitions == 1 ? "proof" : "proofs");
}

void prove(const ProveOptions& options) {
  if (!options.out.empty()) check_can_write(options.out);  // now, not after minutes of work
  const auto proof = options.daemon.connect.empty() ? prove_here(options) : prove_there(options);
  if (!options.out.empty()) write_file(options.out, proof.bytes);
  const std::size_t partitions = proof.bytes.size() / groth16::Proof::kBytes;
  JsonObject timings;
  for (const auto& [stage, ms] : proof.timings_ms) timings.add(stage, ms);
  JsonObject object;
  object.add("proof", to_hex(proof.bytes)).add("verified", true).add("partitions", partitions);
  object.add("timings_ms", timings);
  print(options.json ? Form::json : Form::text, object, lines_of(options, proof, partitions));
}

/// The blinding of a circuit of circom, which has one partition.
groth16::BlindingSource circom_blinding(const std::vector<std::string>& fixed_rs) {
  const auto fixed = fixed_blinding(fixed_rs);
  if (!fixed) return groth16::Blinding::fresh;
  return [fixed] { return fixed(0); };
}

void prove_circom(const ProveOptions& options) {
  if (!options.request.kind.empty()) throw UsageError("--zkey, --r1cs: without KIND and INPUT");
  if (!options.daemon.connect.empty()) throw UsageError("--zkey, --r1cs: only without --connect");
  if (!options.out.empty()) check_can_write(options.out);
  const auto prover = [&] {
    return make_prover(options.device, ThreadPool::shared(), options.vram_limit, KeyUse::once);
  };
  const auto made = prove_circom(options.circom, prover, circom_blinding(options.fixed_rs));
  if (!options.out.empty()) write_file(options.out, made.proof.to_bytes());
  print_circom_proof(options.json ? Form::json : Form::text, options.circom, made);
}

/// How this process would prove means nothing where a daemon does.
void keep_to_one_prover(CLI::App& command) {
  CLI::Option* const connect = command.get_option("--connect");
  for (const char* const local : {"--keys", "--device", "--vram-limit"}) connect->excludes(command.get_option(local));
  command.get_option("--request-id")->needs(connect);
}

}  // namespace

void add_prove(CLI::App& program, ExitStatus&) {
  auto options = std::make_shared<ProveOptions>();
  auto* command = program.add_subcommand("prove", "Makes one proof, here or by a daemon, and verifies it");
  add_request_options(*command, options->request);
  command->add_option("--keys", options->keys, "directory of the .params files")->capture_default_str();
  command->add_option("--out", options->out, "file for the proof: 192 bytes for each partition");
  add_connection_options(*command, options->daemon);
  command->add_option("--request-id", options->request_id, "the daemon knows the job by it");
  add_device_options(*command, options->device, options->vram_limit);
  keep_to_one_prover(*command);
#ifdef CUZK_INSECURE
  command->add_option("--insecure-fixed-rs", options->fixed_rs, "R S: for tests; with commas for several partitions")
      ->expected(2);
#endif
  add_circom_options(*command, options->circom);
  make_optional(*command, {"KIND", "INPUT"});
  command->add_flag("--json", options->json, "print one JSON object");
  command->footer(
      "Example: cuzk prove porep c1.json --keys /var/tmp/filecoin-proof-parameters --out proof.bin\n"
      "         cuzk prove --zkey c.zkey --wtns c.wtns --proof proof.json --public public.json");
  command->callback([command, options] {
    if (options->circom.is_given()) return prove_circom(*options);
    require_given(*command, {"KIND", "INPUT"});
    prove(*options);
  });
}

}  // namespace cuzk::apps
