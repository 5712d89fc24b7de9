// The classes of known attacks on verifiers of Groth16, each against the doors by which proofs, inputs and keys come in.
#include <gtest/gtest.h>

#include <array>

#include "curve/encoding.h"
#include "curve/subgroup.h"
#include "field/square_root.h"
#include "groth16/circom/snarkjs_json.h"
#include "groth16/expect_error.h"
#include "groth16/key_rules.h"
#include "groth16/parameters.h"
#include "groth16/toy_key.h"
#include "groth16/verifier.h"

namespace cuzk::groth16 {
namespace {

using test::expect_error;

struct Toy {
  VerifyingKey key =
      VerifyingKey::from_bytes(test::bytes_of(test::vector_json("setup/toy.json")["vk"]["bytes"]), "toy");
  Verifier verifier{key};
  std::vector<Claim> claims;

  Toy() {
    for (const auto& partition : test::vector_json("proofs/toy.json")["partitions"]) {
      claims.push_back({Proof::from_bytes(test::bytes_of(partition["proofs"][0]["proof"])),
                        test::frs_of(partition["public_inputs"])});
    }
  }
};

/// x + k r as bytes, little-endian: the same residue for a verifier that reduces.
std::vector<u8> alias(const Fr& x, unsigned k) {
  auto integer = x.to_integer();
  u64 carry = 0;
  for (unsigned i = 0; i < k; ++i) carry += add_in_place(integer, Fr::kModulus);
  EXPECT_EQ(carry, 0U);
  std::vector<u8> bytes;
  for (std::size_t i = 0; i < 32; ++i) bytes.push_back(static_cast<u8>(integer[i / 8] >> (8 * (i % 8))));
  return bytes;
}

TEST(Attacks, APublicInputHasNoSecondNameAboveTheModulus) {
  for (const Fr& x : {Fr::zero(), Fr::one(), Fr::from_u64(35)}) {
    for (const unsigned k : {1U, 2U}) {
      const auto bytes = alias(x, k);
      EXPECT_FALSE(Fr::from_bytes(std::span<const u8>(bytes).first<32>()).has_value());
    }
  }
  // r + 35, in the JSON of a proof of x^3 + x + 5 = 35.
  expect_error(Code::invalid_input, "public.json[0]: expected decimal digits of a number below", [] {
    public_inputs_from_snarkjs(R"(["52435875175126190479447740508185965837690552500527637822603658699938581184548"])",
                               "public.json");
  });
}

TEST(Attacks, NoPartOfAProofMayBeInfinityAtAnyDoor) {
  const Toy toy;
  for (unsigned parts = 1; parts < 8; ++parts) {
    auto [proof, publics] = toy.claims[0];
    if ((parts & 1) != 0) proof.a = G1Affine::infinity();
    if ((parts & 2) != 0) proof.b = G2Affine::infinity();
    if ((parts & 4) != 0) proof.c = G1Affine::infinity();
    EXPECT_FALSE(toy.verifier.verify(proof, publics)) << parts;
    EXPECT_FALSE(toy.verifier.verify_batch(std::array{toy.claims[1], Claim{proof, publics}})) << parts;
    expect_error(Code::invalid_input, "infinity", [&] { Proof::from_bytes(proof.to_bytes()); });
    EXPECT_THROW(proof_from_snarkjs(to_snarkjs(proof), "proof.json"), Error);
  }
}

/// A point of the curve that is not in the subgroup: the first x that has one.
template <class Affine>
Affine outside() {
  using Field = typename Affine::Field;
  for (u64 i = 1;; ++i) {
    const Field x = Field::from_u64(i);
    const auto y = square_root(x.squared() * x + Affine::Curve::b());
    if (y && !is_in_subgroup(Affine{x, *y})) return {x, *y};
  }
}

TEST(Attacks, APointOfAnotherSubgroupDoesNotComeIn) {
  const Toy toy;
  const auto& right = toy.claims[0].proof;
  // Of small order too: (0, 2) has order 3.
  const G1Affine small{Fp::zero(), Fp::from_u64(2)};
  ASSERT_TRUE(small.is_on_curve());
  ASSERT_TRUE((G1(small) + small + small).is_infinity());
  std::vector<Proof> wrong;
  for (const G1Affine& shift : {outside<G1Affine>(), small}) {
    wrong.push_back({(G1(right.a) + shift).to_affine(), right.b, right.c});
    wrong.push_back({right.a, right.b, (G1(right.c) + shift).to_affine()});
  }
  wrong.push_back({right.a, (G2(right.b) + outside<G2Affine>()).to_affine(), right.c});
  for (const Proof& proof : wrong) {
    expect_error(Code::invalid_input, "not in the subgroup", [&] { Proof::from_bytes(proof.to_bytes()); });
    expect_error(Code::invalid_input, "not in the subgroup", [&] { proof_from_snarkjs(to_snarkjs(proof), "p"); });
  }
}

TEST(Attacks, PartsDoNotChangePlacesNorOwners) {
  const Toy toy;
  const auto& [first, publics] = toy.claims[0];
  const auto& second = toy.claims[1].proof;
  for (const Proof& mixed : {Proof{first.c, first.b, first.a}, Proof{second.a, first.b, first.c},
                             Proof{first.a, second.b, first.c}, Proof{first.a, first.b, second.c}}) {
    EXPECT_FALSE(toy.verifier.verify(mixed, publics));
  }
  EXPECT_FALSE(toy.verifier.verify(second, publics));
  EXPECT_FALSE(toy.verifier.verify_batch(
      std::array{Claim{first, toy.claims[1].public_inputs}, Claim{second, toy.claims[0].public_inputs}}));
}

TEST(Attacks, ANegatedPartIsAnotherProof) {
  const Toy toy;
  const auto& [right, publics] = toy.claims[0];
  EXPECT_FALSE(toy.verifier.verify({-right.a, right.b, right.c}, publics));
  EXPECT_FALSE(toy.verifier.verify({right.a, -right.b, right.c}, publics));
  EXPECT_FALSE(toy.verifier.verify({right.a, right.b, -right.c}, publics));
}

TEST(Attacks, AMalleatedProofHoldsForItsOwnStatementAlone) {
  // Groth16 proofs can be made others of the same statement by anyone; that must not carry over to another statement.
  const Toy toy;
  const auto& [right, publics] = toy.claims[0];
  const Fr x = Fr::from_u64(7);
  const Proof scaled{(right.a * x).to_affine(), (right.b * x.inverse()).to_affine(), right.c};
  const Proof shifted{right.a, (G2(right.b) + toy.key.delta_g2 * x).to_affine(),
                      (G1(right.c) + right.a * x).to_affine()};
  const Proof negated{-right.a, -right.b, right.c};
  for (const Proof& proof : {scaled, shifted, negated}) {
    EXPECT_NE(proof.to_bytes(), right.to_bytes());
    EXPECT_TRUE(toy.verifier.verify(proof, publics));
    for (const Claim& other : toy.claims) {
      if (other.public_inputs != publics) {
        EXPECT_FALSE(toy.verifier.verify(proof, other.public_inputs));
      }
    }
    EXPECT_FALSE(toy.verifier.verify(proof, std::array{publics[0] + Fr::one()}));
    EXPECT_FALSE(toy.verifier.verify(proof, std::array{Fr::zero()}));
  }
}

TEST(Attacks, AShiftOfCByInputsNeedsAKeyWhoseGammaIsDelta) {
  // With gamma = delta anyone proves anything without a witness: A = alpha, B = beta, C = -X.
  const Toy toy;
  VerifyingKey broken = toy.key;
  broken.delta_g2 = broken.gamma_g2;
  const std::array<Fr, 1> claim{Fr::from_u64(123456)};
  const G1 x = G1(toy.key.ic[0]) + toy.key.ic[1] * claim[0];
  const Proof forged{toy.key.alpha_g1, toy.key.beta_g2, (-x).to_affine()};
  EXPECT_TRUE(Verifier(broken).verify(forged, claim)) << "the equation holds: the key is what has to be refused";
  EXPECT_FALSE(toy.verifier.verify(forged, claim));
  expect_error(Code::invalid_input, "key: gamma_g2 is delta_g2", [&] { check_soundness(broken, "key"); });
  expect_error(Code::invalid_input, "key: gamma_g2 is delta_g2",
               [&] { VerifyingKey::from_bytes(broken.to_bytes(), "key"); });
  expect_error(Code::invalid_input, "key: gamma_g2 is delta_g2",
               [&] { verifying_key_from_snarkjs(to_snarkjs(broken), "key"); });
}

TEST(Attacks, ADegenerateKeyIsNoneAtAnyDoor) {
  const Toy toy;
  const auto expect_refused = [&](auto change) {
    VerifyingKey key = toy.key;
    change(key);
    EXPECT_THROW(check_soundness(key, "key"), Error);
    expect_error(Code::invalid_input, "key", [&] { VerifyingKey::from_bytes(key.to_bytes(), "key"); });
    EXPECT_THROW(verifying_key_from_snarkjs(to_snarkjs(key), "key"), Error);
  };
  expect_refused([](VerifyingKey& key) { key.alpha_g1 = G1Affine::infinity(); });
  expect_refused([](VerifyingKey& key) { key.beta_g2 = G2Affine::infinity(); });
  expect_refused([](VerifyingKey& key) { key.gamma_g2 = G2Affine::infinity(); });
  expect_refused([](VerifyingKey& key) { key.delta_g2 = G2Affine::infinity(); });
  expect_refused([](VerifyingKey& key) { key.gamma_g2 = key.delta_g2; });
}

TEST(Attacks, NoKeyIsMadeWhoseGammaIsDelta) {
  const test::ScratchFolder folder;
  ToxicWaste waste = ToxicWaste::fresh();
  waste.gamma = waste.delta;
  expect_error(Code::invalid_input, "gamma is delta", [&] {
    setup(r1cs::compile_toy(), waste, {folder / "k.params", folder / "k.vk"}, ThreadPool::shared(), {});
  });
}

/// Every count of a .params file, by its place.
std::vector<std::size_t> places_of_counts() {
  const test::ToyKey files;
  const KeyLengths lengths = read_key_lengths(InputFile(files.params()));
  std::vector<std::size_t> places{VerifyingKey::kPointBytes};
  std::size_t place = lengths.verifying_key_bytes();
  for (const std::size_t bytes :
       {lengths.h * 96, lengths.l * 96, lengths.a * 96, lengths.b_g1 * 96, lengths.b_g2 * 192}) {
    places.push_back(place);
    place += 4 + bytes;
  }
  return places;
}

TEST(Attacks, NoLengthThatLiesIsBelieved) {
  const test::ScratchFolder folder;
  const auto right = test::bytes_of(test::vector_json("setup/toy.json")["params"]["bytes"]);
  for (const std::size_t place : places_of_counts()) {
    for (const u32 lie : {0U, 1U, 2U, 0x7fffffffU, 0x80000000U, 0xfffffffeU, 0xffffffffU}) {
      auto bytes = right;
      for (std::size_t i = 0; i < 4; ++i) bytes[place + i] = static_cast<u8>(lie >> (24 - 8 * i));
      if (bytes == right) continue;
      test::write_file(folder / "k.params", bytes);
      expect_error(Code::invalid_input, "k.params",
                   [&] { read_parameters(folder / "k.params", KeyCheck::subgroups, ThreadPool::shared(), {}); });
    }
  }
}

TEST(Attacks, NothingThatWasCutShortIsRead) {
  const auto vk = test::bytes_of(test::vector_json("setup/toy.json")["vk"]["bytes"]);
  for (std::size_t length = 0; length < vk.size(); ++length) {
    EXPECT_THROW(VerifyingKey::from_bytes(std::span(vk).first(length), "cut"), Error) << length;
  }
  const auto proof = Toy().claims[0].proof.to_bytes();
  for (std::size_t length = 0; length < proof.size(); ++length) {
    EXPECT_THROW(Proof::from_bytes(std::span(proof).first(length)), Error) << length;
    EXPECT_THROW(proofs_from_bytes(std::span(proof).first(length)), Error) << length;
  }
  const test::ScratchFolder folder;
  const auto params = test::bytes_of(test::vector_json("setup/toy.json")["params"]["bytes"]);
  for (std::size_t length = 0; length < params.size(); length += 7) {
    test::write_file(folder / "cut.params", {params.begin(), params.begin() + static_cast<std::ptrdiff_t>(length)});
    EXPECT_THROW(read_key_lengths(InputFile(folder / "cut.params")), Error) << length;
  }
}

}  // namespace
}  // namespace cuzk::groth16
