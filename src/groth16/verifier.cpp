#include "groth16/verifier.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "base/error.h"
#include "base/random.h"
#include "base/thread_pool.h"
#include "curve/split_scalar.h"
#include "msm/msm.h"

namespace cuzk::groth16 {
namespace {

/// Claims whose Miller loops share their squarings: their prepared points of 20 KB each stay in a core's cache.
constexpr std::size_t kTogether = 16;

/// A factor for each equation of a combination: 128 random bits, never zero.
std::vector<SplitScalar> random_factors(std::size_t count) {
  std::vector<SplitScalar> factors(count);
  for (SplitScalar& factor : factors) {
    while (factor.low == 0 && factor.high == 0) {
      const auto bytes = random_bytes<16>();
      for (std::size_t i = 0; i < 8; ++i) {
        factor.low = factor.low << 8 | bytes[i];
        factor.high = factor.high << 8 | bytes[8 + i];
      }
    }
  }
  return factors;
}

void check_count(std::size_t found, std::size_t expected, std::string_view what) {
  if (found != expected) throw invalid_input("{}: {} public inputs, expected {}", what, found, expected);
}

/// One scalar for each point; those of statements with many sectors are tens of thousands.
G1 sum_inputs(std::span<const G1Affine> ic, std::span<const Fr> scalars) {
  return msm::multi_scalar_mul(ic, scalars, ThreadPool::shared());
}

/// Of all claims together: each public input, ONE the first of them, times its factors.
std::vector<Fr> combine_inputs(std::span<const Claim> claims, std::span<const Fr> factors, std::size_t count) {
  std::vector<Fr> inputs(count, Fr::zero());
  for (std::size_t k = 0; k < claims.size(); ++k) {
    inputs[0] += factors[k];
    for (std::size_t i = 1; i < count; ++i) inputs[i] += factors[k] * claims[k].public_inputs[i - 1];
  }
  return inputs;
}

/// The product of the claims' Miller loops, each of factor A and B.
Fp12 combine_pairs(std::span<const Claim> claims, std::span<const SplitScalar> factors) {
  std::vector<G2Prepared> b;
  b.reserve(claims.size());
  std::vector<PairingTerm> terms;
  for (std::size_t k = 0; k < claims.size(); ++k) {
    b.emplace_back(claims[k].proof.b);
    terms.push_back({times(claims[k].proof.a, factors[k]).to_affine(), &b.back()});
  }
  return miller_loop(terms);
}

Fp12 combine_pairs(std::span<const Claim> claims, std::span<const SplitScalar> factors, ThreadPool& pool) {
  std::vector<Fp12> products((claims.size() + kTogether - 1) / kTogether);
  pool.parallel_for(0, products.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t first = i * kTogether, count = std::min(kTogether, claims.size() - first);
      products[i] = combine_pairs(claims.subspan(first, count), factors.subspan(first, count));
    }
  });
  return std::accumulate(products.begin(), products.end(), Fp12::one(), std::multiplies<>());
}

G1 combine_c(std::span<const Claim> claims, std::span<const Fr> factors, ThreadPool& pool) {
  std::vector<G1Affine> c;
  for (const Claim& claim : claims) c.push_back(claim.proof.c);
  return msm::multi_scalar_mul(std::span<const G1Affine>(c), factors, pool);
}

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
  ThreadPool& pool = ThreadPool::shared();
  const std::vector<SplitScalar> factors = random_factors(claims.size());
  std::vector<Fr> scalars;
  scalars.reserve(factors.size());
  for (const SplitScalar& factor : factors) scalars.push_back(factor.to_fr());
  const std::vector<Fr> inputs = combine_inputs(claims, scalars, ic_.size());
  const std::array<PairingTerm, 3> terms{{{(alpha_ * inputs[0]).to_affine(), &minus_beta_},
                                          {sum_inputs(ic_, inputs).to_affine(), &minus_gamma_},
                                          {combine_c(claims, scalars, pool).to_affine(), &minus_delta_}}};
  return final_exponentiation(miller_loop(terms) * combine_pairs(claims, factors, pool)) == Gt::one();
}

}  // namespace cuzk::groth16
