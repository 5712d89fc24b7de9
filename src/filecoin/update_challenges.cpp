#include "filecoin/update_challenges.h"

#include <algorithm>

#include "hash/poseidon.h"
#include "hash/poseidon_batch.h"

namespace cuzk::filecoin {
namespace {

constexpr unsigned kDigestBits = 254;  // of a digest that challenges are taken from

/// `count` (at most 63) bits of a number from `first` on.
u64 bits_from(const Limbs<4>& value, unsigned first, unsigned count) {
  u64 bits = 0;
  for (unsigned i = 0; i < count; ++i) bits |= u64{bit(value, first + i)} << i;
  return bits;
}

}  // namespace

std::vector<u64> update_challenges(const SectorShape& shape, const Fr& comm_r_new, u32 partition) {
  const UpdateShape numbers(shape);
  const unsigned width = numbers.challenge_bits - numbers.partition_bits;
  const u32 per_digest = kDigestBits / width, count = shape.update.challenges;
  const u32 digests = (count + per_digest - 1) / per_digest;
  std::vector<u64> challenges;
  for (u32 j = 0; j < digests; ++j) {
    const Fr index = Fr::from_u64(u64{partition} * digests + j);
    const Limbs<4> digest = poseidon_gen_randomness(comm_r_new, index).to_integer();
    for (u32 i = 0; i < per_digest && challenges.size() < count; ++i)
      challenges.push_back(bits_from(digest, i * width, width) | u64{partition} << width);
  }
  return challenges;
}

Fr update_phi(const Fr& comm_d_new, const Fr& comm_r_old) { return poseidon_gen_randomness(comm_d_new, comm_r_old); }

Fr update_rho(const Fr& phi, u64 high) { return poseidon_gen_randomness(phi, Fr::from_u64(high)); }

std::vector<Fr> update_rhos(const Fr& phi, std::span<const u64> highs) {
  std::vector<Fr> pairs;
  for (const u64 high : highs) pairs.insert(pairs.end(), {phi, Fr::from_u64(high)});
  return poseidon_hashes(PoseidonKind::randomness(), pairs);
}

u64 high_bits_of(const SectorShape& shape, u64 node, u32 h) { return node >> (shape.log2_nodes() - h); }

u32 network_h_choice(const SectorShape& shape) {
  const UpdateShape numbers(shape);
  const auto found = std::ranges::find(numbers.hs, shape.update.high_bits);
  return static_cast<u32>(found - numbers.hs.begin());
}

std::vector<Fr> update_public_inputs(const SectorShape& shape, u32 partition, const Fr& comm_r_old,
                                     const Fr& comm_d_new, const Fr& comm_r_new) {
  const u64 h_select = u64{1} << network_h_choice(shape);
  return {Fr::from_u64(partition | h_select << UpdateShape(shape).partition_bits), comm_r_old, comm_d_new, comm_r_new};
}

}  // namespace cuzk::filecoin
