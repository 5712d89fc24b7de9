#include "groth16/circom/zkey_prover.h"

#include <algorithm>

#include "base/error.h"
#include "groth16/proof_sums.h"
#include "groth16/verifier.h"
#include "msm/msm.h"

namespace cuzk::groth16 {
namespace {

constexpr std::size_t kGrain = 1024;

/// 5^((r - 1) / 2^k).
Fr root_of_order(unsigned k) {
  Fr::Integer exponent = Fr::kModulus;
  sub_in_place(exponent, Fr::Integer{{1}});
  return Fr::from_u64(5).pow(shift_right(exponent, k));
}

Fr evaluate_row(const ZkeyMatrix& matrix, std::size_t row, std::span<const Fr> wires) {
  Fr sum = Fr::zero();
  for (u32 i = matrix.starts[row]; i < matrix.starts[row + 1]; ++i) {
    const auto& [wire, coefficient] = matrix.terms[i];
    sum += coefficient * wires[wire];
  }
  return sum;
}

Buffer<Fr> evaluate(const ZkeyMatrix& matrix, std::span<const Fr> wires, ThreadPool& pool) {
  Buffer<Fr> values(matrix.starts.size() - 1);
  pool.parallel_for(0, values.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) values[row] = evaluate_row(matrix, row, wires);
  });
  return values;
}

template <class F>
void for_each_index(std::size_t size, ThreadPool& pool, const F& f) {
  pool.parallel_for(0, size, kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) f(i);
  });
}

template <class Affine>
auto sum(const Buffer<Affine>& points, std::span<const Fr> scalars, std::string_view name, ThreadPool& pool,
         const Control& control) {
  control.check("proof");
  const Span span = control.span(name);
  return msm::multi_scalar_mul(points.span(), scalars, pool);
}

ProofSums sum_all(const Zkey& key, std::span<const Fr> wires, ThreadPool& pool, const Control& control) {
  const Buffer<Fr> h = [&] {
    control.check("proof");
    const Span span = control.span("quotient");
    return odd_values(key, wires, pool);
  }();
  return {.h = sum(key.h, h.span(), "msm_h", pool, control),
          .l = sum(key.l, wires.subspan(std::size_t{key.publics} + 1), "msm_l", pool, control),
          .a_inputs = sum(key.a, wires, "msm_a", pool, control),
          .a_aux = G1::infinity(),
          .b_g1_inputs = sum(key.b_g1, wires, "msm_b_g1", pool, control),
          .b_g1_aux = G1::infinity(),
          .b_g2_inputs = sum(key.b_g2, wires, "msm_b_g2", pool, control),
          .b_g2_aux = G2::infinity()};
}

}  // namespace

Domain snarkjs_domain(unsigned k) { return Domain(k, root_of_order(k), root_of_order(k + 1)); }

Buffer<Fr> odd_values(const Zkey& key, std::span<const Fr> wires, ThreadPool& pool) {
  const Domain domain = snarkjs_domain(key.log2_domain);
  const auto to_odd = [&](Buffer<Fr>& values) {
    domain.inverse(values.span(), pool);
    domain.coset_forward(values.span(), pool);
  };
  Buffer<Fr> a = evaluate(key.a_rows, wires, pool), b = evaluate(key.b_rows, wires, pool), c(a.size());
  for_each_index(a.size(), pool, [&](std::size_t i) { c[i] = a[i] * b[i]; });
  to_odd(a);
  to_odd(b);
  to_odd(c);
  for_each_index(a.size(), pool, [&](std::size_t i) { a[i] = a[i] * b[i] - c[i]; });
  return a;
}

Proof prove_zkey(const Zkey& key, std::span<const Fr> wires, const Blinding& blinding, ThreadPool& pool,
                 const Control& control) {
  if (wires.size() != key.wires) {
    throw invalid_input("witness: {} wires, expected the key's {}", wires.size(), key.wires);
  }
  ThreadPool stoppable = pool.until(control.stop);
  const ProofSums sums = sum_all(key, wires, stoppable, control);
  const Span span = control.span("finish");
  return assemble(key.verifying_key, sums, blinding);
}

Proof prove_zkey_verified(const Zkey& key, std::span<const Fr> wires, ThreadPool& pool, const Control& control,
                          const BlindingSource& blinding) {
  const Verifier verifier(key.verifying_key);
  constexpr int kAttempts = 2;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const Proof proof = prove_zkey(key, wires, blinding(), pool, control);
    const Span span = control.span("verify");
    if (verifier.verify(proof, wires.subspan(1, key.publics))) return proof;
  }
  throw invalid_input(
      "{} proofs made, none verifies: the witness does not satisfy the circuit, or the key is another circuit's",
      kAttempts);
}

}  // namespace cuzk::groth16
