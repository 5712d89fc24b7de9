/// Proofs, verifying keys and public inputs as the JSON that snarkjs writes and reads.
///
/// Numbers are decimal digits in strings, canonical and below their modulus. A point of G1 is [x, y, "1"], one of G2
/// [[x0, x1], [y0, y1], ["1", "0"]] with x = x0 + x1 u. proof.json: pi_a, pi_b, pi_c; a verifying key: nPublic, vk_alpha_1,
/// vk_beta_2, vk_gamma_2, vk_delta_2, IC; both: protocol "groth16" and curve "bls12381"; public.json: an array of public
/// inputs, ONE not among them. Other members are not looked at. A verifying key that is written has no vk_alphabeta_12: snarkjs does
/// not use it, and its pairing is another power of ours.
/// Every reader throws Error{invalid_input} naming `source`, the member, found and expected; points are checked to be on the
/// curve, in the subgroup of order r, and not infinity.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "groth16/proof.h"
#include "groth16/verifying_key.h"

namespace cuzk::groth16 {

/// The largest text that is read: public inputs and ic of some hundred thousand.
inline constexpr std::size_t kLargestSnarkjsJson = std::size_t{64} << 20;

Proof proof_from_snarkjs(std::string_view json, const std::string& source);

/// beta_g1 and delta_g1, which proving needs and the JSON does not have, are infinity. The key's soundness is checked
/// (key_rules.h).
VerifyingKey verifying_key_from_snarkjs(std::string_view json, const std::string& source);

std::vector<Fr> public_inputs_from_snarkjs(std::string_view json, const std::string& source);

std::string to_snarkjs(const Proof& proof);
std::string to_snarkjs(const VerifyingKey& key);
std::string to_snarkjs(std::span<const Fr> public_inputs);

}  // namespace cuzk::groth16
