/// Any bytes as a public input of the toy circuit and a proof, up to the verifier's word. Of each statement that is
/// accepted somebody made a proof: a proof may be blinded anew, or its A and B negated, but not be another statement's.
///
/// The mutator puts points of a table in the places of A, B and C, for hardly any other bytes are points of the subgroup.
#include <algorithm>
#include <cstring>
#include <random>

#include "curve/encoding.h"
#include "fuzzing.h"
#include "groth16/verifier.h"
#include "toy_works.h"

extern "C" std::size_t LLVMFuzzerMutate(cuzk::u8* data, std::size_t size, std::size_t most);

namespace {

using namespace cuzk;

using Bytes = std::vector<u8>;

constexpr std::size_t kInput = Fr::kBytes, kG1 = kCompressedBytes<G1Affine>, kG2 = kCompressedBytes<G2Affine>;
constexpr std::size_t kSize = kInput + groth16::Proof::kBytes;
constexpr u8 kSignFlag = 0x20;

template <class Affine>
void add_with_negative(std::vector<Bytes>& table, const Affine& point) {
  const auto bytes = to_compressed(point);
  table.emplace_back(bytes.begin(), bytes.end());
  table.push_back(table.back());
  table.back()[0] ^= kSignFlag;
}

/// Infinity, and x = 4, which is on the curve but not in the subgroup, or not even there.
void add_strange(std::vector<Bytes>& table, std::size_t size) {
  table.emplace_back(size)[0] = 0xc0;
  table.emplace_back(size)[0] = 0x80;
  table.back().back() = 4;
}

/// Points of G1 and of G2 that a forger has.
struct Table {
  std::vector<Bytes> g1, g2;

  Table() {
    const auto& [key, proofs] = fuzz::toy_works();
    for (const auto& proof : proofs) {
      add_with_negative(g1, proof.proof.a);
      add_with_negative(g1, proof.proof.c);
      add_with_negative(g2, proof.proof.b);
    }
    for (const auto& point : {key.alpha_g1, key.beta_g1, key.delta_g1, key.ic[0], key.ic[1]})
      add_with_negative(g1, point);
    for (const auto& point : {key.beta_g2, key.gamma_g2, key.delta_g2}) add_with_negative(g2, point);
    add_strange(g1, kG1);
    add_strange(g2, kG2);
  }
};

/// Verification takes longer than all the rest together: of the proofs that can be read an eighth is looked at.
bool is_verified(std::span<const u8> bytes) {
  u32 sum = 2166136261;
  for (const u8 byte : bytes) sum = (sum ^ byte) * 16777619;
  return (sum >> 16) % 8 == 0;
}

bool was_proved(const Fr& input) {
  return std::ranges::any_of(fuzz::toy_works().proofs, [&](const auto& made) { return made.input == input; });
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(cuzk::u8* data, std::size_t size, std::size_t most, unsigned seed) {
  static const Table table;
  std::minstd_rand random(seed);
  if (size < kSize || random() % 4 != 0) return LLVMFuzzerMutate(data, size, most);
  const auto put = [&](const std::vector<Bytes>& points, std::size_t place) {
    const auto& point = points[random() % points.size()];
    std::memcpy(data + kInput + place, point.data(), point.size());
  };
  switch (random() % 3) {
    case 0: put(table.g1, 0); break;
    case 1: put(table.g2, kG1); break;
    default: put(table.g1, kG1 + kG2);
  }
  return size;
}

extern "C" int LLVMFuzzerTestOneInput(const cuzk::u8* data, std::size_t size) {
  static const groth16::Verifier verifier(fuzz::toy_works().key);
  if (size < kSize) return 0;
  const std::span bytes(data, kSize);
  const auto input = Fr::from_bytes(bytes.first<kInput>());
  fuzz::expect_value_or_invalid_input([&] {
    const auto proof = groth16::Proof::from_bytes(bytes.subspan(kInput));
    fuzz::expect(std::ranges::equal(proof.to_bytes(), bytes.subspan(kInput)));
    if (!input || !is_verified(bytes)) return;
    if (verifier.verify(proof, std::array{*input})) fuzz::expect(was_proved(*input));
  });
  return 0;
}
