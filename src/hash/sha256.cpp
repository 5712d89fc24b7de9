#include "hash/sha256.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "field/kernels.h"

namespace cuzk {

const std::array<u32, 64> kSha256Rounds{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

namespace {

using Compress = void (*)(Sha256State&, std::span<const u8>);

u32 load_big_endian(const u8* bytes) {
  return u32{bytes[0]} << 24 | u32{bytes[1]} << 16 | u32{bytes[2]} << 8 | u32{bytes[3]};
}

std::array<u32, 64> message_schedule(const u8* block) {
  std::array<u32, 64> w;
  for (std::size_t i = 0; i < 16; ++i) w[i] = load_big_endian(block + 4 * i);
  for (std::size_t i = 16; i < 64; ++i) {
    const u32 s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ w[i - 15] >> 3;
    const u32 s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ w[i - 2] >> 10;
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  return w;
}

void compress_block(Sha256State& state, const u8* block) {
  const std::array<u32, 64> w = message_schedule(block);
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t i = 0; i < 64; ++i) {
    const u32 s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const u32 choice = (e & f) ^ (~e & g);
    const u32 t1 = h + s1 + choice + kSha256Rounds[i] + w[i];
    const u32 s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const u32 majority = (a & b) ^ (a & c) ^ (b & c);
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + s0 + majority;
  }
  const Sha256State mixed{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) state[i] += mixed[i];
}

Compress chosen_compress() {
  static const Compress chosen =
      chosen_cpu().sha_extensions ? detail::sha256_compress_sha_ni : detail::sha256_compress_portable;
  return chosen;
}

Digest to_bytes(const Sha256State& state) {
  Digest digest;
  for (std::size_t i = 0; i < 32; ++i) digest[i] = static_cast<u8>(state[i / 4] >> (24 - 8 * (i % 4)));
  return digest;
}

}  // namespace

void detail::sha256_compress_portable(Sha256State& state, std::span<const u8> blocks) {
  for (std::size_t at = 0; at < blocks.size(); at += kSha256Block) compress_block(state, blocks.data() + at);
}

void sha256_compress(Sha256State& state, std::span<const u8> blocks) { chosen_compress()(state, blocks); }

std::string_view sha256_implementation() {
  return chosen_compress() == detail::sha256_compress_portable ? "portable" : "sha_ni";
}

Sha256& Sha256::update(std::span<const u8> bytes) {
  const std::size_t waiting = length_ % kSha256Block;
  length_ += bytes.size();
  if (waiting != 0) {
    const std::size_t taken = std::min(bytes.size(), kSha256Block - waiting);
    std::copy_n(bytes.data(), taken, pending_.data() + waiting);
    bytes = bytes.subspan(taken);
    if (waiting + taken < kSha256Block) return *this;
    sha256_compress(state_, pending_);
  }
  const std::size_t whole = bytes.size() - bytes.size() % kSha256Block;
  if (whole != 0) sha256_compress(state_, bytes.first(whole));
  std::ranges::copy(bytes.subspan(whole), pending_.begin());
  return *this;
}

Digest Sha256::finish() {
  const u64 bits = 8 * length_;
  const std::size_t waiting = length_ % kSha256Block;
  std::array<u8, 2 * kSha256Block> tail{};
  std::copy_n(pending_.data(), waiting, tail.data());
  tail[waiting] = 0x80;
  const std::size_t size = waiting + 9 <= kSha256Block ? kSha256Block : 2 * kSha256Block;
  for (std::size_t i = 0; i < 8; ++i) tail[size - 1 - i] = static_cast<u8>(bits >> (8 * i));
  sha256_compress(state_, std::span(tail).first(size));
  return to_bytes(state_);
}

Digest sha256(std::span<const u8> message) { return Sha256().update(message).finish(); }

Digest clear_top_bits(Digest digest) {
  digest[31] &= 0x3f;
  return digest;
}

Digest sha256_node(std::span<const u8, 32> left, std::span<const u8, 32> right) {
  // A message of 64 bytes: its padding is a block that never changes.
  static constexpr std::array<u8, kSha256Block> padding = [] {
    std::array<u8, kSha256Block> block{};
    block[0] = 0x80;
    block[62] = 0x02;  // 512 bits
    return block;
  }();
  std::array<u8, 2 * kSha256Block> blocks;
  std::ranges::copy(left, blocks.begin());
  std::ranges::copy(right, blocks.begin() + 32);
  std::ranges::copy(padding, blocks.begin() + 64);
  Sha256State state = kSha256Initial;
  sha256_compress(state, blocks);
  return clear_top_bits(to_bytes(state));
}

}  // namespace cuzk
