#include "filecoin/challenges.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <algorithm>
#include <memory>
#include <string_view>

#include "base/error.h"

namespace cuzk::filecoin {
namespace {

constexpr std::string_view kNonInteractive = "filecoin.io|PoRep|1|NonInteractive|1";
constexpr std::string_view kSyntheticGeneration = "filecoin.io|PoRep|1|Synthetic|1|Generation";
constexpr std::string_view kSyntheticSelection = "filecoin.io|PoRep|1|Synthetic|1|Selection";
constexpr std::string_view kSyntheticNonce = "synth-porep";  // and a zero byte
constexpr u64 kMostSynthetic = u64{1} << 18;
constexpr std::size_t kStreamBlock = 64;

std::span<const u8> bytes_of(std::string_view text) { return {reinterpret_cast<const u8*>(text.data()), text.size()}; }

std::array<u8, 4> little_endian(u32 value) {
  return {static_cast<u8>(value), static_cast<u8>(value >> 8), static_cast<u8>(value >> 16),
          static_cast<u8>(value >> 24)};
}

u32 load_u32(std::span<const u8> bytes) {
  return static_cast<u32>(bytes[0] | bytes[1] << 8 | bytes[2] << 16) | static_cast<u32>(bytes[3]) << 24;
}

/// A node but node 0, from 32 bytes read as a little-endian number.
u64 node_of(std::span<const u8> bytes, u64 nodes) {
  const u64 modulus = nodes - 1;
  u128 rest = 0;
  for (std::size_t i = 32; i-- > 0;) rest = (rest << 8 | bytes[i]) % modulus;
  return static_cast<u64>(rest) + 1;
}

void require(bool done, std::string_view what) {
  if (!done) throw internal_error("OpenSSL: {} failed", what);
}

/// BLAKE2b with 32 bytes of output, keyed with a domain's name.
Node keyed_blake2b(std::string_view domain, const Node& first, const Node& second) {
  const std::unique_ptr<EVP_MAC, decltype(&EVP_MAC_free)> mac(EVP_MAC_fetch(nullptr, "BLAKE2BMAC", nullptr),
                                                              EVP_MAC_free);
  require(mac != nullptr, "BLAKE2BMAC");
  const std::unique_ptr<EVP_MAC_CTX, decltype(&EVP_MAC_CTX_free)> context(EVP_MAC_CTX_new(mac.get()), EVP_MAC_CTX_free);
  std::size_t size = sizeof(Node);
  const std::array<OSSL_PARAM, 2> parameters{OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &size),
                                             OSSL_PARAM_construct_end()};
  const auto key = bytes_of(domain);
  Node digest;
  require(EVP_MAC_init(context.get(), key.data(), key.size(), parameters.data()) == 1 &&
              EVP_MAC_update(context.get(), first.data(), first.size()) == 1 &&
              EVP_MAC_update(context.get(), second.data(), second.size()) == 1 &&
              EVP_MAC_final(context.get(), digest.data(), &size, digest.size()) == 1,
          "BLAKE2BMAC");
  return digest;
}

/// Bytes of the ChaCha20 keystream from a block on.
std::vector<u8> keystream(const Node& key, u32 first_block, std::size_t length) {
  std::array<u8, 16> iv{};
  std::ranges::copy(little_endian(first_block), iv.begin());
  std::ranges::copy(kSyntheticNonce, iv.begin() + 4);
  const std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> cipher(EVP_CIPHER_CTX_new(),
                                                                               EVP_CIPHER_CTX_free);
  std::vector<u8> zeros(length), stream(length);
  int written = 0;
  require(EVP_EncryptInit_ex(cipher.get(), EVP_chacha20(), nullptr, key.data(), iv.data()) == 1 &&
              EVP_EncryptUpdate(cipher.get(), stream.data(), &written, zeros.data(), static_cast<int>(length)) == 1,
          "ChaCha20");
  return stream;
}

std::vector<u64> hashed_challenges(const SealProof& proof, std::string_view prefix, const Node& first,
                                   const Node& second, u32 partition) {
  const u32 count = proof.challenges().per_partition;
  std::vector<u64> challenges(count);
  for (u32 i = 0; i < count; ++i) {
    Sha256 hash;
    hash.update(bytes_of(prefix)).update(first).update(second).update(little_endian(partition * count + i));
    challenges[i] = node_of(hash.finish(), proof.shape->nodes());
  }
  return challenges;
}

u64 synthetic_size(const SectorShape& shape) { return std::min(shape.nodes(), kMostSynthetic); }

/// One node of the synthetic set.
u64 synthetic_node(const SectorShape& shape, const Node& key, u32 index) {
  const u32 byte = 32 * index;
  const auto block = keystream(key, byte / kStreamBlock, kStreamBlock);
  return node_of(std::span(block).subspan(byte % kStreamBlock, 32), shape.nodes());
}

std::vector<u64> synthetic_challenges(const SealProof& proof, const ChallengeSource& source, u32 partition) {
  const Node generation = keyed_blake2b(kSyntheticGeneration, source.replica_id, source.comm_r);
  const Node selection = keyed_blake2b(kSyntheticSelection, source.replica_id, source.seed);
  const std::size_t count = proof.challenges().per_partition;
  const std::size_t begin = 4 * count * partition;
  const auto stream = keystream(selection, 0, begin + 4 * count);
  std::vector<u64> challenges(count);
  for (std::size_t i = 0; i < count; ++i) {
    const u64 index = load_u32(std::span(stream).subspan(begin + 4 * i, 4)) % synthetic_size(*proof.shape);
    challenges[i] = synthetic_node(*proof.shape, generation, static_cast<u32>(index));
  }
  return challenges;
}

}  // namespace

std::vector<u64> porep_challenges(const SealProof& proof, const ChallengeSource& source, u32 partition) {
  switch (proof.variant) {
    case SealVariant::v1:
    case SealVariant::v1_1: return hashed_challenges(proof, "", source.replica_id, source.seed, partition);
    case SealVariant::non_interactive:
      return hashed_challenges(proof, kNonInteractive, source.replica_id, source.comm_r, partition);
    case SealVariant::synthetic: break;
  }
  return synthetic_challenges(proof, source, partition);
}

std::vector<u64> synthetic_set(const SectorShape& shape, const Node& replica_id, const Node& comm_r) {
  const Node key = keyed_blake2b(kSyntheticGeneration, replica_id, comm_r);
  std::vector<u64> set(synthetic_size(shape));
  const auto stream = keystream(key, 0, 32 * set.size());
  for (std::size_t i = 0; i < set.size(); ++i) set[i] = node_of(std::span(stream).subspan(32 * i, 32), shape.nodes());
  return set;
}

}  // namespace cuzk::filecoin
