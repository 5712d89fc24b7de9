#include "filecoin/sealing/piece.h"

#include <algorithm>

#include "filecoin/node.h"

namespace cuzk::filecoin {
namespace {

void store(u64 value, u8* into) {
  for (std::size_t i = 0; i < 8; ++i) into[i] = static_cast<u8>(value >> (8 * i));
}

}  // namespace

u64 unpadded_bytes(const SectorShape& shape) { return shape.bytes / 128 * 127; }

std::vector<u8> zero_piece(const SectorShape& shape) { return std::vector<u8>(unpadded_bytes(shape)); }

std::vector<u8> counter_piece(const SectorShape& shape, u64 tag) {
  std::vector<u8> piece(unpadded_bytes(shape));
  std::array<u8, 16> message;
  store(tag, message.data());
  for (std::size_t at = 0; at < piece.size(); at += kNodeBytes) {
    store(at / kNodeBytes, message.data() + 8);
    const Digest block = sha256(message);
    std::copy_n(block.begin(), std::min(kNodeBytes, piece.size() - at), piece.data() + at);
  }
  return piece;
}

}  // namespace cuzk::filecoin
