#include "gadgets/update.h"

#include <fmt/format.h>

#include "base/error.h"
#include "gadgets/bits.h"
#include "gadgets/boolean.h"
#include "gadgets/multipack.h"
#include "gadgets/por.h"
#include "gadgets/poseidon.h"
#include "gadgets/sha256.h"

namespace cuzk::gadgets {

namespace {

struct Decompose {
  unsigned count;

  std::string key() const { return fmt::format("decompose into {}", count); }
  std::vector<Signal> record(Recorder& recorder, std::span<const Signal> in) const {
    std::vector<Signal> bits;
    BooleanConstraints steps(recorder);
    for (unsigned i = 0; i < count; ++i) bits.push_back(steps.alloc_bit());
    recorder.enforce(packed(bits), r1cs::kOne, in[0]);
    return bits;
  }
};

/// A new variable factor * x + offset.
struct Affine {
  u64 factor, offset;

  std::string key() const { return fmt::format("{} x + {}", factor, offset); }
  std::vector<Signal> record(Recorder& recorder, std::span<const Signal> in) const {
    LinearCombination sum;
    sum.add(in[0], Fr::from_u64(factor)).add(r1cs::kOne, Fr::from_u64(offset));
    return {multiply(recorder, sum, r1cs::kOne)};
  }
};

Signal affine(Compiler& builder, Signal x, Affine form) { return builder.place(form, std::array{x})[0]; }
Fr affine(WitnessBuilder& builder, const Fr& x, Affine form) {
  return builder.alloc_number(Fr::from_u64(form.factor) * x + Fr::from_u64(form.offset));
}

template <class Builder>
std::vector<typename Builder::Bits> derive_challenges(Builder& builder, const typename Builder::Number& comm_r_new,
                                                      const typename Builder::Number& partition, ChallengeShape shape) {
  const std::size_t per_digest = kPackedBits / shape.bits;
  const std::size_t digests = (shape.challenges + per_digest - 1) / per_digest;
  std::vector<typename Builder::Bits> challenges;
  for (std::size_t j = 0; j < digests; ++j) {
    const auto index = affine(builder, partition, Affine{digests, j});
    const auto digest = poseidon(builder, std::array{comm_r_new, index}, PoseidonTag::randomness);
    const auto bits = decompose(builder, digest, kFieldBits);
    for (std::size_t i = 0; i < per_digest && challenges.size() < shape.challenges; ++i)
      challenges.push_back(slice(bits, i * shape.bits, shape.bits));
  }
  return challenges;
}

/// inputs: the bits of the challenge, then one bit for each of hs.
struct HighBits {
  std::span<const unsigned> hs;

  std::string key() const { return fmt::format("high bits {}", fmt::join(hs, ",")); }
  std::vector<Signal> record(Recorder& recorder, std::span<const Signal> in) const {
    const auto challenge = in.first(in.size() - hs.size());
    LinearCombination sum;
    for (std::size_t i = 0; i < hs.size(); ++i) {
      const Signal high = multiply(recorder, packed(challenge.last(hs[i])), r1cs::kOne);
      sum.add(multiply(recorder, high, in[challenge.size() + i]), Fr::one());
    }
    return {multiply(recorder, sum, r1cs::kOne)};
  }
};

void check_high_bits(std::size_t challenge, std::size_t h_select, std::span<const unsigned> hs) {
  if (h_select != hs.size()) throw internal_error("{} bits select among {} numbers of high bits", h_select, hs.size());
  for (const unsigned h : hs)
    if (h > challenge) throw internal_error("{} high bits of a challenge of {}", h, challenge);
}

/// inputs: old, data, rho.
struct EncodeUpdate {
  static std::string key() { return "encode update"; }
  static std::vector<Signal> record(Recorder& recorder, std::span<const Signal> in) {
    const Signal product = multiply(recorder, in[1], in[2]);
    return {multiply(recorder, LinearCombination(in[0]) + product, r1cs::kOne)};
  }
};

}  // namespace

std::vector<Signal> decompose(Compiler& builder, Signal x, unsigned count) {
  return builder.place(Decompose{count}, std::array{x});
}

BitString decompose(WitnessBuilder& builder, const Fr& x, unsigned count) {
  const Limbs<4> value = x.to_integer();
  BitString bits;
  for (unsigned first = 0; first < count; first += 64)
    bits.append(alloc_bits(builder, value[first / 64], std::min(64u, count - first)));
  return bits;
}

std::vector<std::vector<Signal>> challenge_bits(Compiler& builder, Signal comm_r_new, Signal partition,
                                                ChallengeShape shape) {
  return derive_challenges(builder, comm_r_new, partition, shape);
}

std::vector<BitString> challenge_bits(WitnessBuilder& builder, const Fr& comm_r_new, const Fr& partition,
                                      ChallengeShape shape) {
  return derive_challenges(builder, comm_r_new, partition, shape);
}

Signal high_bits(Compiler& builder, std::span<const Signal> challenge, std::span<const Signal> h_select,
                 std::span<const unsigned> hs) {
  check_high_bits(challenge.size(), h_select.size(), hs);
  std::vector<Signal> inputs(challenge.begin(), challenge.end());
  inputs.insert(inputs.end(), h_select.begin(), h_select.end());
  return builder.place(HighBits{hs}, inputs)[0];
}

Fr high_bits(WitnessBuilder& builder, const BitString& challenge, const BitString& h_select,
             std::span<const unsigned> hs) {
  check_high_bits(challenge.size(), h_select.size(), hs);
  Fr sum = Fr::zero();
  for (std::size_t i = 0; i < hs.size(); ++i) {
    const Fr high = builder.alloc_number(packed(challenge, challenge.size() - hs[i], hs[i]));
    sum += builder.alloc_number(h_select.chunk(i, 1).values != 0 ? high : Fr::zero());
  }
  return builder.alloc_number(sum);
}

Signal encode_update(Compiler& builder, Signal old, Signal data, Signal rho) {
  return builder.place(EncodeUpdate(), std::array{old, data, rho})[0];
}

Fr encode_update(WitnessBuilder& builder, const Fr& old, const Fr& data, const Fr& rho) {
  return builder.alloc_number(old + multiply(builder, data, rho));
}

template <class Builder>
void apex_por(Builder& builder, std::vector<typename Builder::Number> apex_leaves,
              const typename Builder::Bits& partition,
              const std::vector<std::vector<typename Builder::Number>>& partition_path,
              const typename Builder::Number& comm_d) {
  auto& row = apex_leaves;
  while (row.size() > 1) {
    for (std::size_t i = 0; 2 * i < row.size(); ++i) row[i] = sha256_node(builder, row[2 * i], row[2 * i + 1]);
    row.resize(row.size() / 2, row[0]);
  }
  por_at(builder, row.at(0), comm_d, partition, partition_path, TreeHash::sha256);
}

template void apex_por(Compiler&, std::vector<Signal>, const std::vector<Signal>&,
                       const std::vector<std::vector<Signal>>&, const Signal&);
template void apex_por(WitnessBuilder&, std::vector<Fr>, const BitString&, const std::vector<std::vector<Fr>>&,
                       const Fr&);

}  // namespace cuzk::gadgets
