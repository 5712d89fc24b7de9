#include "groth16/key_rules.h"

#include "base/error.h"

namespace cuzk::groth16 {

void check_soundness(const VerifyingKey& key, std::string_view source) {
  if (key.ic.empty()) throw invalid_input("{}: ic has no point, expected one for each input, ONE included", source);
  const auto refuse_infinity = [&](const auto& point, std::string_view name) {
    if (point.is_infinity()) throw invalid_input("{}: {}: the point is infinity, which no key has", source, name);
  };
  refuse_infinity(key.alpha_g1, "alpha_g1");
  refuse_infinity(key.beta_g2, "beta_g2");
  refuse_infinity(key.gamma_g2, "gamma_g2");
  refuse_infinity(key.delta_g2, "delta_g2");
  if (key.gamma_g2 == key.delta_g2) {
    throw invalid_input(
        "{}: gamma_g2 is delta_g2: anyone can make proofs under this key; a key of snarkjs needs a contribution of "
        "phase 2 "
        "(snarkjs zkey contribute)",
        source);
  }
}

}  // namespace cuzk::groth16
