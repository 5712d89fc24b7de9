#include "groth16/verifier.h"

#include <array>

#include "base/error.h"
#include "base/random.h"
#include "base/thread_pool.h"
#include "msm/msm.h"

namespace cuzk::groth16 {
namespace {

/// A factor of one equation in a combination: 128 random bits, never zero.
Limbs<2> random_factor() {
  Limbs<2> factor{};
  while (is_zero(factor)) {
    for (std::size_t i = 0; i < 2; ++i) {
      for (const u8 byte : random_bytes<8>()) factor[i] = factor[i] << 8 | byte;
    }
  }
  return factor;
}

Fr to_fr(const Limbs<2>& integer) { return Fr::from_integer_unchecked(Limbs<4>{{integer[0], integer[1], 0, 0}}); }

void check_count(std::size_t found, std::size_t expected, std::string_view what) {
  if (found != expected) throw invalid_input("{}: {} public inputs, expected {}", what, found, expected);
}

/// One scalar for each point; those of statements with many sectors are tens of thousands.
G1 sum_inputs(std::span<const G1Affine> ic, std::span<const Fr> scalars) {
  return msm::multi_scalar_mul(ic, scalars, ThreadPool::shared());
}

/// Sums over the claims of a batch, each claim's part times its random factor.
struct Combination {
  std::vector<Fr> inputs;  ///< of ONE, then of each public input
  G1 c = G1::infinity();
  std::vector<G1Affine> a;
  std::vector<G2Prepared> b;

  explicit Combination(std::size_t count) : inputs(count, Fr::zero()) {}

  void add(const Claim& claim, const Limbs<2>& factor) {
    const Fr scalar = to_fr(factor);
    inputs[0] += scalar;
    for (std::size_t i = 0; i < claim.public_inputs.size(); ++i) inputs[i + 1] += scalar * claim.public_inputs[i];
    c += G1(claim.proof.c).times(factor);
    a.push_back(G1(claim.proof.a).times(factor).to_affine());
    b.emplace_back(claim.proof.b);
  }
};

}  // namespace

Verifier::Verifier(const VerifyingKey& key)
    : ic_(key.ic),
      alpha_(key.alpha_g1),
      alpha_beta_(pairing(key.alpha_g1, key.beta_g2)),
      minus_beta_(-key.beta_g2),
      minus_gamma_(-key.gamma_g2),
      minus_delta_(-key.delta_g2) {}

bool Verifier::verify(const Proof& proof, std::span<const Fr> public_inputs) const {
  check_count(public_inputs.size(), ic_.size() - 1, "proof");
  const G1 inputs = sum_inputs(std::span(ic_).subspan(1), public_inputs) + ic_[0];
  const G2Prepared b(proof.b);
  const std::array<PairingTerm, 3> terms{
      {{proof.a, &b}, {inputs.to_affine(), &minus_gamma_}, {proof.c, &minus_delta_}}};
  return final_exponentiation(miller_loop(terms)) == alpha_beta_;
}

bool Verifier::verify_batch(std::span<const Claim> claims) const {
  if (claims.empty()) throw invalid_input("batch of proofs: it is empty");
  for (std::size_t i = 0; i < claims.size(); ++i) {
    check_count(claims[i].public_inputs.size(), ic_.size() - 1, fmt::format("proof {} of the batch", i));
  }
  Combination sum(ic_.size());
  for (const Claim& claim : claims) sum.add(claim, random_factor());
  const G1 inputs = sum_inputs(ic_, sum.inputs);
  std::vector<PairingTerm> terms{{(alpha_ * sum.inputs[0]).to_affine(), &minus_beta_},
                                 {inputs.to_affine(), &minus_gamma_},
                                 {sum.c.to_affine(), &minus_delta_}};
  for (std::size_t i = 0; i < claims.size(); ++i) terms.push_back({sum.a[i], &sum.b[i]});
  return final_exponentiation(miller_loop(terms)) == Gt::one();
}

}  // namespace cuzk::groth16
