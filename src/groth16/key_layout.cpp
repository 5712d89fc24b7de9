#include "groth16/key_layout.h"

#include <array>

#include "base/error.h"
#include "curve/encoding.h"
#include "groth16/big_endian.h"
#include "groth16/verifying_key.h"

namespace cuzk::groth16 {
namespace {

constexpr u64 kG1Bytes = kUncompressedBytes<G1Affine>, kG2Bytes = kUncompressedBytes<G2Affine>;

/// The count at `offset` of a vector of points of `point_bytes`, and moves `offset` behind the vector.
u32 read_count(const InputFile& file, std::string_view vector, u64 point_bytes, u64& offset) {
  if (file.size() < offset + kCountBytes) {
    throw invalid_input("{}: ends at byte {}, before the count of {} at byte {}", file.name(), file.size(), vector,
                        offset);
  }
  std::array<u8, kCountBytes> bytes;
  file.read_at(offset, bytes);
  const u32 count = count_from_bytes(bytes);
  offset += kCountBytes;
  if ((file.size() - offset) / point_bytes < count) {
    throw invalid_input("{}: {} is said to have {} points of {} bytes at byte {}, but the file has {} bytes",
                        file.name(), vector, count, point_bytes, offset, file.size());
  }
  offset += u64{count} * point_bytes;
  return count;
}

}  // namespace

u64 KeyLengths::file_bytes() const {
  return VerifyingKey::kPointBytes + 6 * kCountBytes + kG1Bytes * (u64{ic} + h + l + a + b_g1) + kG2Bytes * b_g2;
}

u64 KeyLengths::verifying_key_bytes() const { return VerifyingKey::kPointBytes + kCountBytes + kG1Bytes * ic; }

u64 KeyLengths::memory() const {
  return sizeof(VerifyingKey) + sizeof(G1Affine) * (u64{ic} + h + l + a + b_g1) + sizeof(G2Affine) * b_g2;
}

KeyLengths key_lengths(const r1cs::Circuit& circuit) {
  const r1cs::Densities& densities = circuit.densities();
  const u32 b = static_cast<u32>(densities.b_inputs.count() + densities.b_aux.count());
  return {.ic = circuit.inputs(),
          .h = (u32{1} << circuit.log2_domain()) - 1,
          .l = circuit.aux(),
          .a = circuit.inputs() + static_cast<u32>(densities.a_aux.count()),
          .b_g1 = b,
          .b_g2 = b};
}

KeyLengths read_key_lengths(const InputFile& file) {
  u64 offset = VerifyingKey::kPointBytes;
  KeyLengths lengths;
  lengths.ic = read_count(file, "ic", kG1Bytes, offset);
  lengths.h = read_count(file, "h", kG1Bytes, offset);
  lengths.l = read_count(file, "l", kG1Bytes, offset);
  lengths.a = read_count(file, "a", kG1Bytes, offset);
  lengths.b_g1 = read_count(file, "b_g1", kG1Bytes, offset);
  lengths.b_g2 = read_count(file, "b_g2", kG2Bytes, offset);
  if (offset != file.size()) {
    throw invalid_input("{}: b_g2 ends at byte {}, but the file has {} bytes", file.name(), offset, file.size());
  }
  return lengths;
}

}  // namespace cuzk::groth16
