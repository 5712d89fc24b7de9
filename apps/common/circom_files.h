/// Files of circom and snarkjs as commands read and write them. Errors begin with the file's name.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "field/fr.h"
#include "groth16/proof.h"
#include "groth16/verifying_key.h"

namespace cuzk::apps {

/// What a file is, by its first bytes.
enum class CircomFile { r1cs, wtns, zkey, other };
CircomFile kind_of_file(const std::string& path);

/// A verifying key out of snarkjs' JSON (.json), a .zkey or a .vk.
groth16::VerifyingKey read_any_verifying_key(const std::string& path);

/// A proof in snarkjs' JSON (.json), else 192 bytes or the same in hexadecimal digits.
groth16::Proof read_any_proof(const std::string& path);

/// The bytes of a file of proofs, or the same in hexadecimal digits.
std::vector<u8> read_proof_bytes(const std::string& path);

std::vector<Fr> read_public_inputs(const std::string& path);

/// As JSON of snarkjs where the name ends in .json, else in cuzk's own bytes.
void write_any(const std::string& path, const groth16::VerifyingKey& key);
void write_any(const std::string& path, const groth16::Proof& proof);
void write_public_inputs(const std::string& path, std::span<const Fr> public_inputs);

}  // namespace cuzk::apps
