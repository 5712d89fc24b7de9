#include "groth16/proof.h"

#include <algorithm>

#include "base/error.h"
#include "curve/encoding.h"

namespace cuzk::groth16 {
namespace {

constexpr std::size_t kG1 = kCompressedBytes<G1Affine>, kG2 = kCompressedBytes<G2Affine>;

template <class Affine>
Affine decode(std::span<const u8, kCompressedBytes<Affine>> bytes, std::string_view name) {
  const Affine point = from_compressed<Affine>(bytes).value_or_throw(name);
  if (point.is_infinity()) throw invalid_input("{}: the point is infinity, which no proof has", name);
  return point;
}

Proof decode(std::span<const u8, Proof::kBytes> bytes, std::string_view name) {
  return {.a = decode<G1Affine>(bytes.first<kG1>(), fmt::format("{}: A", name)),
          .b = decode<G2Affine>(bytes.subspan<kG1, kG2>(), fmt::format("{}: B", name)),
          .c = decode<G1Affine>(bytes.last<kG1>(), fmt::format("{}: C", name))};
}

}  // namespace

Proof Proof::from_bytes(std::span<const u8> bytes) {
  if (bytes.size() != kBytes) throw invalid_input("proof: {} bytes, expected {}", bytes.size(), kBytes);
  return decode(bytes.first<kBytes>(), "proof");
}

Proof::Bytes Proof::to_bytes() const {
  Bytes bytes;
  auto end = std::ranges::copy(to_compressed(a), bytes.begin()).out;
  end = std::ranges::copy(to_compressed(b), end).out;
  std::ranges::copy(to_compressed(c), end);
  return bytes;
}

std::vector<Proof> proofs_from_bytes(std::span<const u8> bytes) {
  if (bytes.empty() || bytes.size() % Proof::kBytes != 0) {
    throw invalid_input("proof: {} bytes, expected {} for each partition", bytes.size(), Proof::kBytes);
  }
  std::vector<Proof> proofs;
  for (std::size_t i = 0; i < bytes.size() / Proof::kBytes; ++i) {
    proofs.push_back(
        decode(bytes.subspan(i * Proof::kBytes).first<Proof::kBytes>(), fmt::format("proof of partition {}", i)));
  }
  return proofs;
}

std::vector<u8> proofs_to_bytes(std::span<const Proof> proofs) {
  std::vector<u8> bytes;
  bytes.reserve(proofs.size() * Proof::kBytes);
  for (const Proof& proof : proofs) {
    const Proof::Bytes own = proof.to_bytes();
    bytes.insert(bytes.end(), own.begin(), own.end());
  }
  return bytes;
}

}  // namespace cuzk::groth16
