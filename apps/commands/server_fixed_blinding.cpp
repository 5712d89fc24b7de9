#include "commands/server_fixed_blinding.h"

#ifdef CUZK_INSECURE

#include <simdjson.h>

#include <map>
#include <utility>

#include "base/error.h"
#include "base/log.h"
#include "common/files.h"
#include "common/forwarding_prover.h"
#include "common/scalars.h"

namespace cuzk::apps {

namespace {

constexpr std::size_t kLargestFile = std::size_t{1} << 26;

/// r and s by the public inputs, each of these as its 32 bytes.
using Blindings = std::map<std::string, std::pair<Fr, Fr>>;

void append(std::string& key, const Fr& input) {
  const auto bytes = input.to_bytes();
  key.insert(key.end(), bytes.begin(), bytes.end());
}

Fr scalar_of(simdjson::dom::element text, const std::string& name) {
  return parse_scalar(std::string_view{text}, name);
}

void read_partition(simdjson::dom::element partition, const std::string& name, Blindings& blindings) {
  std::string key;
  for (const auto input : simdjson::dom::array{partition["public_inputs"]})
    append(key, scalar_of(input, name + " public_inputs"));
  const simdjson::dom::element proof = partition["proofs"].at(0);
  blindings.insert_or_assign(key, std::pair{scalar_of(proof["r"], name + " r"), scalar_of(proof["s"], name + " s")});
}

void read_blindings(const std::string& path, Blindings& blindings) try {
  simdjson::dom::parser parser;
  const std::string text = read_file(path, kLargestFile);
  const simdjson::dom::element document = parser.parse(text);
  std::size_t number = 0;
  for (const auto partition : simdjson::dom::array{document["partitions"]})
    read_partition(partition, fmt::format("{}: partition {}", path, number++), blindings);
} catch (const simdjson::simdjson_error& error) {
  throw invalid_input("{}: is no file of proofs: {}", path, error.what());
}

class FixedBlindingProver : public ForwardingProver {
 public:
  FixedBlindingProver(Blindings blindings, std::unique_ptr<groth16::Prover> prover)
      : ForwardingProver(std::move(prover)), blindings_(std::move(blindings)) {}

  groth16::Proof prove(const groth16::Statement& statement, const groth16::Blinding& blinding,
                       const groth16::Control& control) override {
    std::string key;
    for (const Fr& input : statement.witness.inputs().subspan(1)) append(key, input);
    const auto found = blindings_.find(key);
    if (found == blindings_.end()) return ForwardingProver::prove(statement, blinding, control);
    spdlog::warn("INSECURE: a proof is made with r and s that are known");
    const auto& [r, s] = found->second;
    return ForwardingProver::prove(statement, groth16::Blinding::insecure_fixed(r, s), control);
  }

 private:
  const Blindings blindings_;
};

}  // namespace

std::unique_ptr<groth16::Prover> with_fixed_blinding(const std::vector<std::string>& files,
                                                     std::unique_ptr<groth16::Prover> prover) {
  if (files.empty()) return prover;
  Blindings blindings;
  for (const auto& file : files) read_blindings(file, blindings);
  spdlog::warn(
      "INSECURE: {} statements are proved with known r and s: who knows the proof learns about the sector; for tests",
      blindings.size());
  return std::make_unique<FixedBlindingProver>(std::move(blindings), std::move(prover));
}

}  // namespace cuzk::apps

#endif
