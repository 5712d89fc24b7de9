#include "groth16/setup.h"

#include <filesystem>
#include <memory>

#include "base/error.h"
#include "base/hex.h"
#include "commands/commands.h"
#include "common/checks.h"
#include "common/output.h"
#include "common/progress_bar.h"
#include "common/provers.h"
#include "common/toxic_waste.h"
#include "engine/statements/circuit_catalog.h"
#include "r1cs/circom/r1cs_file.h"

namespace cuzk::apps {

namespace {

namespace fs = std::filesystem;

struct SetupOptions {
  std::string circuit, r1cs, out, toxic_waste, device = "auto";
  bool json = false;
};

JsonObject json_of(const fs::path& file, const groth16::FileDigest& digest) {
  JsonObject object;
  object.add("file", file.filename().string()).add("size", digest.size);
  object.add("sha256", to_hex(digest.sha256)).add("blake2b", to_hex(digest.blake2b));
  return object;
}

std::string line_of(const fs::path& file, const groth16::FileDigest& digest) {
  return fmt::format("{}\n  {} bytes, sha256 {}, blake2b {}", file.string(), digest.size, to_hex(digest.sha256),
                     to_hex(digest.blake2b));
}

groth16::KeyFiles files_in(const fs::path& directory, const SetupOptions& options) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) throw invalid_input("{}: cannot be made: {}", directory.string(), error.message());
  if (!options.r1cs.empty()) {
    const auto stem = directory / fs::path(options.r1cs).stem();
    return {stem.string() + ".params", stem.string() + ".vk"};
  }
  const auto names = engine::key_file_names(options.circuit);
  return {directory / names.params, directory / names.vk};
}

std::shared_ptr<const r1cs::Circuit> read_circuit(const SetupOptions& options) {
  if (!options.r1cs.empty()) return std::make_shared<r1cs::Circuit>(r1cs::read_r1cs(options.r1cs).circuit);
  engine::CircuitCatalog circuits(engine::default_circuit_cache());
  return circuits.get(options.circuit);
}

void setup(const SetupOptions& options) {
  if (options.r1cs.empty() == options.circuit.empty()) throw UsageError("CIRCUIT or --r1cs: one of the two is needed");
  const auto circuit = read_circuit(options);
  const auto waste = options.toxic_waste.empty() ? groth16::ToxicWaste::fresh() : read_toxic_waste(options.toxic_waste);
  const auto files = files_in(options.out, options);
  note("WARNING: this key is for development. Whoever made it could forge proofs; the network does not accept it.");
  groth16::KeyDigests digests;
  {
    ProgressBar bar;
    groth16::Control control;
    control.on_progress = bar.callback();
    const auto multiples = make_multiples(options.device, groth16::key_lengths(*circuit), ThreadPool::shared());
    digests = groth16::setup(*circuit, waste, files, *multiples, ThreadPool::shared(), control);
  }
  JsonObject object;
  object.add("params", json_of(files.params, digests.params)).add("vk", json_of(files.vk, digests.vk));
  print(options.json ? Form::json : Form::text, object,
        line_of(files.params, digests.params) + "\n" + line_of(files.vk, digests.vk));
}

}  // namespace

void add_setup(CLI::App& program, ExitStatus&) {
  auto options = std::make_shared<SetupOptions>();
  auto* command = program.add_subcommand("setup", "Makes a key for development: .params and .vk");
  command->add_option("CIRCUIT", options->circuit, "such as porep-2k")->check(circuit_id());
  command->add_option("--r1cs", options->r1cs, "a circuit of circom instead");
  command->add_option("--out", options->out, "directory for the two files")->required();
  command->add_option("--device", options->device, "who makes the points: cpu, cuda or auto")
      ->check(CLI::IsMember(kDevices))
      ->capture_default_str();
#ifdef CUZK_INSECURE
  command->add_option("--insecure-toxic-waste", options->toxic_waste,
                      R"(JSON {"alpha","beta","gamma","delta","tau"} in hex: the same key each time)");
#endif
  command->add_flag("--json", options->json, "print one JSON object");
  command->footer("Example: cuzk setup porep-2k --out keys");
  command->callback([options] { setup(*options); });
}

}  // namespace cuzk::apps
