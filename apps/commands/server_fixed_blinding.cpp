#include "commands/server_fixed_blinding.h"

#ifdef CUZK_INSECURE

#include <utility>

#include "base/log.h"
#include "common/blinding_file.h"
#include "common/forwarding_prover.h"

namespace cuzk::apps {

namespace {

class FixedBlindingProver : public ForwardingProver {
 public:
  FixedBlindingProver(KnownBlindings blindings, std::unique_ptr<groth16::Prover> prover)
      : ForwardingProver(std::move(prover)), blindings_(std::move(blindings)) {}

  groth16::Proof prove(const groth16::Statement& statement, const groth16::Blinding& blinding,
                       const groth16::Control& control) override {
    const auto found = blindings_.find(known_by(statement.witness.inputs().subspan(1)));
    if (found == blindings_.end()) return ForwardingProver::prove(statement, blinding, control);
    spdlog::warn("INSECURE: a proof is made with r and s that are known");
    const auto& [r, s] = found->second;
    return ForwardingProver::prove(statement, groth16::Blinding::insecure_fixed(r, s), control);
  }

 private:
  const KnownBlindings blindings_;
};

}  // namespace

std::unique_ptr<groth16::Prover> with_fixed_blinding(const std::vector<std::string>& files,
                                                     std::unique_ptr<groth16::Prover> prover) {
  if (files.empty()) return prover;
  KnownBlindings blindings;
  for (const auto& file : files) read_blindings(file, blindings);
  spdlog::warn(
      "INSECURE: {} statements are proved with known r and s: who knows the proof learns about the sector; for tests",
      blindings.size());
  return std::make_unique<FixedBlindingProver>(std::move(blindings), std::move(prover));
}

}  // namespace cuzk::apps

#endif
