#include "filecoin/sealing/sparse_values.h"

namespace cuzk::filecoin {
namespace {

std::span<const u8> bytes_of(std::string_view text) { return {reinterpret_cast<const u8*>(text.data()), text.size()}; }

std::array<u8, 8> little_endian(u64 value) {
  std::array<u8, 8> bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<u8>(value >> (8 * i));
  return bytes;
}

}  // namespace

SparseValues::SparseValues(std::string_view seed_text) : master_seed_(sha256(bytes_of(seed_text))) {}

Node SparseValues::raw(std::string_view tag, u64 a, u64 b) const {
  return Sha256().update(master_seed_).update(bytes_of(tag)).update(little_endian(a)).update(little_endian(b)).finish();
}

}  // namespace cuzk::filecoin
