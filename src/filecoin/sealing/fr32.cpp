#include "filecoin/sealing/fr32.h"

#include <algorithm>

#include "base/error.h"

namespace cuzk::filecoin {
namespace {

constexpr std::size_t kDataBits = 254;
constexpr std::size_t kNodeBits = 256;

/// Up to 56 bits of `bytes` from a bit position on; bits past the end are zero.
u64 bits_from(std::span<const u8> bytes, std::size_t position, std::size_t count) {
  u64 window = 0;
  const std::size_t first = position / 8;
  const std::size_t available = first < bytes.size() ? std::min<std::size_t>(8, bytes.size() - first) : 0;
  for (std::size_t i = 0; i < available; ++i) window |= static_cast<u64>(bytes[first + i]) << (8 * i);
  return (window >> (position % 8)) & ((u64{1} << count) - 1);
}

/// Adds `count` bits at a bit position of `bytes`, whose bits there are zero.
void put_bits(std::span<u8> bytes, std::size_t position, std::size_t count, u64 bits) {
  const std::size_t first = position / 8;
  const u64 window = bits << (position % 8);
  for (std::size_t i = 0; 8 * i < position % 8 + count; ++i)
    if (first + i < bytes.size()) bytes[first + i] |= static_cast<u8>(window >> (8 * i));
}

/// Copies runs of bits: from_stride and to_stride apart, kDataBits long each.
void copy_runs(std::span<const u8> from, std::size_t from_stride, std::span<u8> to, std::size_t to_stride,
               std::size_t runs) {
  constexpr std::size_t kStep = 48;
  for (std::size_t run = 0; run < runs; ++run) {
    for (std::size_t done = 0; done < kDataBits; done += kStep) {
      const std::size_t count = std::min(kStep, kDataBits - done);
      put_bits(to, run * to_stride + done, count, bits_from(from, run * from_stride + done, count));
    }
  }
}

}  // namespace

std::vector<u8> fr32_pad(std::span<const u8> data) {
  const std::size_t nodes = (8 * data.size() + kDataBits - 1) / kDataBits;
  std::vector<u8> padded(32 * nodes);
  copy_runs(data, kDataBits, padded, kNodeBits, nodes);
  return padded;
}

std::vector<u8> fr32_unpad(std::span<const u8> padded) {
  if (padded.size() % 32 != 0) throw invalid_input("fr32: {} bytes, expected a multiple of 32", padded.size());
  const std::size_t nodes = padded.size() / 32;
  std::vector<u8> data(nodes * kDataBits / 8);
  copy_runs(padded, kNodeBits, data, kDataBits, nodes);
  return data;
}

}  // namespace cuzk::filecoin
