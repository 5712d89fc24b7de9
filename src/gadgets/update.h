/// What the sector update circuit (SnapDeals, FIP-0019) has beside hashes and Merkle paths.
#pragma once

#include <vector>

#include "gadgets/number.h"

namespace cuzk::gadgets {

/// `count` new bits, least significant first, whose sum is x: (sum of 2^i * bit_i) * 1 = x.
std::vector<Signal> decompose(Compiler& builder, Signal x, unsigned count);
BitString decompose(WitnessBuilder& builder, const Fr& x, unsigned count);

/// How many challenges a partition has and how long they are.
struct ChallengeShape {
  std::size_t challenges;
  unsigned bits;  ///< of a challenge inside its partition; at most 254
};

/// The bits of each challenge of a partition, least significant first, without those of the partition's index.
///
/// Digest j of partition k is gen_randomness(comm_r_new, k * digests + j); its bits give floor(254 / bits) challenges.
std::vector<std::vector<Signal>> challenge_bits(Compiler& builder, Signal comm_r_new, Signal partition,
                                                ChallengeShape shape);
std::vector<BitString> challenge_bits(WitnessBuilder& builder, const Fr& comm_r_new, const Fr& partition,
                                      ChallengeShape shape);

/// The high bits of a challenge as a number: the highest hs[i] of them, where exactly bit i of h_select is 1.
Signal high_bits(Compiler& builder, std::span<const Signal> challenge, std::span<const Signal> h_select,
                 std::span<const unsigned> hs);
Fr high_bits(WitnessBuilder& builder, const BitString& challenge, const BitString& h_select,
             std::span<const unsigned> hs);

/// The new replica's node: old + data * rho.
Signal encode_update(Compiler& builder, Signal old, Signal data, Signal rho);
Fr encode_update(WitnessBuilder& builder, const Fr& old, const Fr& data, const Fr& rho);

/// The apex leaves, a power of two of them, are one partition's nodes of tree D: the root over them (SHA-256, binary)
/// is at the partition's index below comm_d. The path has one sibling for each bit of the index.
template <class Builder>
void apex_por(Builder& builder, std::vector<typename Builder::Number> apex_leaves,
              const typename Builder::Bits& partition,
              const std::vector<std::vector<typename Builder::Number>>& partition_path,
              const typename Builder::Number& comm_d);

extern template void apex_por(Compiler&, std::vector<Signal>, const std::vector<Signal>&,
                              const std::vector<std::vector<Signal>>&, const Signal&);
extern template void apex_por(WitnessBuilder&, std::vector<Fr>, const BitString&, const std::vector<std::vector<Fr>>&,
                              const Fr&);

}  // namespace cuzk::gadgets
