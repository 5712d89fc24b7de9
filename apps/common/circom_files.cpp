#include "common/circom_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "base/hex.h"
#include "common/files.h"
#include "groth16/circom/snarkjs_json.h"
#include "groth16/circom/zkey.h"
#include "groth16/input_file.h"

namespace cuzk::apps {
namespace {

bool ends_in_json(const std::string& path) { return std::filesystem::path(path).extension() == ".json"; }

std::string read_json(const std::string& path) { return read_file(path, groth16::kLargestSnarkjsJson); }

}  // namespace

CircomFile kind_of_file(const std::string& path) {
  const groth16::InputFile file(path);
  std::array<u8, 4> bytes{};
  file.read_at(0, std::span(bytes).first(std::min<std::size_t>(4, file.size())));
  const std::string_view magic(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (magic == "r1cs") return CircomFile::r1cs;
  if (magic == "wtns") return CircomFile::wtns;
  return magic == "zkey" ? CircomFile::zkey : CircomFile::other;
}

std::vector<u8> read_proof_bytes(const std::string& path) {
  std::string text = read_file(path, 1 << 20);
  const auto end = text.find_last_not_of(" \r\n");
  const std::string trimmed = text.substr(0, end == std::string::npos ? 0 : end + 1);
  const bool is_hex = !trimmed.empty() && trimmed.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
  return is_hex ? from_hex(trimmed) : std::vector<u8>(text.begin(), text.end());
}

groth16::VerifyingKey read_any_verifying_key(const std::string& path) {
  if (ends_in_json(path)) return groth16::verifying_key_from_snarkjs(read_json(path), path);
  if (kind_of_file(path) == CircomFile::zkey) return groth16::read_zkey_verifying_key(path);
  return groth16::VerifyingKey::read(path);
}

groth16::Proof read_any_proof(const std::string& path) {
  if (ends_in_json(path)) return groth16::proof_from_snarkjs(read_json(path), path);
  return groth16::Proof::from_bytes(read_proof_bytes(path));
}

std::vector<Fr> read_public_inputs(const std::string& path) {
  return groth16::public_inputs_from_snarkjs(read_json(path), path);
}

void write_any(const std::string& path, const groth16::VerifyingKey& key) {
  if (ends_in_json(path)) return write_file(path, bytes_of(groth16::to_snarkjs(key)));
  write_file(path, key.to_bytes());
}

void write_any(const std::string& path, const groth16::Proof& proof) {
  if (ends_in_json(path)) return write_file(path, bytes_of(groth16::to_snarkjs(proof)));
  write_file(path, proof.to_bytes());
}

void write_public_inputs(const std::string& path, std::span<const Fr> public_inputs) {
  write_file(path, bytes_of(groth16::to_snarkjs(public_inputs)));
}

}  // namespace cuzk::apps
