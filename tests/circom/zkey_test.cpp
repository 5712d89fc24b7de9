// .zkey files: read, proved with and refused where a rule is broken.
#include "groth16/circom/zkey.h"

#include <gtest/gtest.h>

#include "circom/sections.h"
#include "curve/encoding.h"
#include "curve/subgroup.h"
#include "groth16/circom/snarkjs_json.h"
#include "groth16/circom/zkey_prover.h"
#include "groth16/expect_error.h"
#include "groth16/verifier.h"
#include "r1cs/circom/wtns_file.h"

namespace cuzk::groth16 {
namespace {

using test::expect_error;
using test::Sections;
using test::vector_bytes;
using test::vector_text;

Zkey zkey_of(const std::string& name) {
  return read_zkey(vector_bytes("circom/" + name + ".zkey"), name, KeyCheck::subgroups, ThreadPool::shared(), {});
}
r1cs::Wires wires_of(const std::string& name) {
  return r1cs::read_wires(vector_bytes("circom/" + name + ".wtns"), name);
}

class ZkeyOf : public testing::TestWithParam<std::string> {};

TEST_P(ZkeyOf, HasTheVerifyingKeyThatSnarkjsExports) {
  const auto key = zkey_of(GetParam());
  const auto said = verifying_key_from_snarkjs(vector_text("circom/" + GetParam() + ".vk.json"), "vk.json");
  EXPECT_EQ(key.verifying_key.alpha_g1, said.alpha_g1);
  EXPECT_EQ(key.verifying_key.beta_g2, said.beta_g2);
  EXPECT_EQ(key.verifying_key.gamma_g2, said.gamma_g2);
  EXPECT_EQ(key.verifying_key.delta_g2, said.delta_g2);
  EXPECT_EQ(key.verifying_key.ic, said.ic);
  EXPECT_EQ(read_zkey_verifying_key(test::vector_path("circom/" + GetParam() + ".zkey")), key.verifying_key);
}

TEST_P(ZkeyOf, MakesProofsThatVerify) {
  const auto key = zkey_of(GetParam());
  const auto wires = wires_of(GetParam());
  const auto proof = prove_zkey(key, wires, Blinding::fresh(), ThreadPool::shared(), {});
  const auto publics = public_inputs_from_snarkjs(vector_text("circom/" + GetParam() + ".public.json"), "public.json");
  EXPECT_TRUE(Verifier(key.verifying_key).verify(proof, publics));
  EXPECT_NO_THROW(prove_zkey_verified(key, wires, ThreadPool::shared(), {}));
}

TEST_P(ZkeyOf, MakesAProofThatDependsOnNothingButRAndS) {
  const auto key = zkey_of(GetParam());
  const auto wires = wires_of(GetParam());
  const auto prove = [&](ThreadPool& pool) {
    return prove_zkey(key, wires, Blinding::insecure_fixed(Fr::from_u64(3), Fr::from_u64(5)), pool, {});
  };
  ThreadPool one(1);
  EXPECT_EQ(prove(one), prove(ThreadPool::shared()));
}

TEST_P(ZkeyOf, MakesNoProofOfAWrongWitness) {
  const auto key = zkey_of(GetParam());
  const auto right = wires_of(GetParam());
  const Verifier verifier(key.verifying_key);
  for (std::size_t wire = 1; wire < right.size(); wire += 3) {
    auto wrong = right;
    wrong[wire] += Fr::one();
    const auto proof = prove_zkey(key, wrong, Blinding::fresh(), ThreadPool::shared(), {});
    // A public input that is in no constraint may have any value: the proof is one of another, true statement.
    const bool free = GetParam() == "product" && wire == 4;
    EXPECT_EQ(verifier.verify(proof, std::span(wrong).subspan(1, key.publics)), free) << wire;
    EXPECT_FALSE(verifier.verify(proof, std::span(right).subspan(1, key.publics))) << wire;
    if (!free) {
      expect_error(Code::invalid_input, "none verifies",
                   [&] { prove_zkey_verified(key, wrong, ThreadPool::shared(), {}); });
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Circom, ZkeyOf, testing::Values("product", "chain"),
                         [](const auto& info) { return info.param; });

TEST(SnarkjsDomain, HasSnarkjsRootAndTheOddPointsAsItsCoset) {
  const Domain domain = snarkjs_domain(5), doubled = snarkjs_domain(6);
  EXPECT_EQ(domain.root(), doubled.root().squared());
  EXPECT_EQ(domain.vanishing_on_coset(), -Fr::from_u64(2));
  // What ffjavascript prints as its root of order 2.
  EXPECT_EQ(snarkjs_domain(1).root(), -Fr::one());
  Buffer<Fr> values(32);
  for (std::size_t i = 0; i < 32; ++i) values[i] = Fr::from_u64(i == 1 ? 1 : 0);  // the polynomial x
  domain.coset_forward(values.span(), ThreadPool::shared());
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], doubled.root().pow(2 * i + 1));
}

TEST(Zkey, IsOfAnotherNumberOfWiresThanTheWitness) {
  expect_error(Code::invalid_input, "witness: 73 wires, expected the key's 23",
               [] { prove_zkey(zkey_of("product"), wires_of("chain"), Blinding::fresh(), ThreadPool::shared(), {}); });
}

TEST(Zkey, IsRefusedWithoutAContribution) {
  expect_error(Code::invalid_input, "product.no-contribution: gamma_g2 is delta_g2",
               [] { zkey_of("product.no-contribution"); });
}

TEST(Zkey, StopsWhenItsCallerDoes) {
  std::stop_source stop;
  stop.request_stop();
  Control control;
  control.stop = stop.get_token();
  const auto bytes = vector_bytes("circom/chain.zkey");
  expect_error(Code::cancelled, "", [&] { read_zkey(bytes, "k", KeyCheck::points, ThreadPool::shared(), control); });
  const auto key = zkey_of("chain");
  expect_error(Code::cancelled, "",
               [&] { prove_zkey(key, wires_of("chain"), Blinding::fresh(), ThreadPool::shared(), control); });
}

template <class Change>
void expect_refused(const std::string& part, Change change) {
  SCOPED_TRACE(part);
  Sections file = Sections::of("product.zkey");
  change(file);
  const auto bytes = file.bytes();
  expect_error(Code::invalid_input, part,
               [&] { read_zkey(bytes, "k.zkey", KeyCheck::subgroups, ThreadPool::shared(), {}); });
}

// Offsets within section 2.
constexpr std::size_t kWires = 4 + 48 + 4 + 32, kPublics = kWires + 4, kDomain = kWires + 8, kAlpha = kWires + 12;
constexpr std::size_t kBetaG2 = kAlpha + 2 * 96, kGamma = kBetaG2 + 192, kDeltaG1 = kGamma + 192;

TEST(Zkey, NamesEveryRuleThatTheHeaderBreaks) {
  expect_refused("begins with", [](Sections& file) { file.magic = "wtns"; });
  expect_refused("section 1 (protocol): protocol 2, expected 1", [](Sections& file) { file.put(1, 0, 2); });
  expect_refused("the prime of the curve of 47 bytes, expected 48", [](Sections& file) { file.put(2, 0, 47); });
  expect_refused("the prime of the curve is", [](Sections& file) { file.put(2, 4, 3); });
  expect_refused("the prime of the circuit is", [](Sections& file) { file.put(2, 4 + 48 + 4, 3); });
  expect_refused("23 wires, expected more than the 23 public ones", [](Sections& file) { file.put(2, kPublics, 23); });
  for (const u64 domain : {0U, 1U, 31U, 1U << 29, 0xffffffffU}) {
    expect_refused("a domain of " + std::to_string(domain), [&](Sections& file) { file.put(2, kDomain, domain); });
  }
  expect_refused("section 2 (header): 1 bytes left", [](Sections& file) { file.content[2].push_back(0); });
  for (const u32 section : {2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U}) {
    expect_refused("section " + std::to_string(section), [&](Sections& file) { file.content.erase(section); });
  }
}

TEST(Zkey, NamesEveryLengthThatLies) {
  expect_refused("section 3 (ic): 480 bytes left, expected 4 of 96", [](Sections& file) { file.put(2, kPublics, 3); });
  expect_refused("section 5 (a): 2208 bytes left, expected 24 of 96", [](Sections& file) { file.put(2, kWires, 24); });
  expect_refused("section 5 (a): 2208 bytes left, expected 4294967295 of 96",
                 [](Sections& file) { file.put(2, kWires, 0xffffffff); });
  expect_refused("section 9 (h): 3072 bytes left, expected 64 of 96", [](Sections& file) { file.put(2, kDomain, 64); });
  expect_refused("section 9 (h): 3072 bytes left, expected 268435456 of 96",
                 [](Sections& file) { file.put(2, kDomain, u64{1} << 28); });
  for (const u32 section : {6U, 7U, 8U, 9U}) {
    expect_refused("section " + std::to_string(section), [&](Sections& file) { file.content[section].pop_back(); });
  }
  expect_refused("section 4 (terms of A and B)", [](Sections& file) { file.put(4, 0, 0xffffffff); });
  expect_refused("section 4 (terms of A and B)", [](Sections& file) { file.content[4].resize(3); });
}

TEST(Zkey, NamesTheTermThatLeadsOutside) {
  expect_refused("term 0: matrix 2, expected one below 2", [](Sections& file) { file.put(4, 4, 2); });
  expect_refused("term 1: row 32, expected one below 32", [](Sections& file) { file.put(4, 4 + 44 + 4, 32); });
  expect_refused("term 1: wire 23, expected one below 23", [](Sections& file) { file.put(4, 4 + 44 + 8, 23); });
  expect_refused("term 0: the coefficient is not below", [](Sections& file) {
    for (std::size_t i = 0; i < 32; ++i) file.content[4][4 + 12 + i] = 0xff;
  });
}

/// A point of the curve that is not in the subgroup, as a file has it.
std::vector<u8> outside_subgroup() {
  for (u64 x = 1;; ++x) {
    const Fp x_field = Fp::from_u64(x);
    std::array<u8, 48> compressed{};
    const auto integer = x_field.to_bytes();
    std::reverse_copy(integer.begin(), integer.end(), compressed.begin());
    compressed[0] |= 0x80;
    const auto decoded = from_compressed_unchecked<G1Affine>(std::span<const u8, 48>(compressed));
    if (!decoded.ok() || is_in_subgroup(decoded.point)) continue;
    std::vector<u8> bytes;
    for (const Fp& coordinate : {decoded.point.x, decoded.point.y}) {
      for (std::size_t i = 0; i < 6; ++i) test::append_number(bytes, coordinate.montgomery_form()[i], 8);
    }
    return bytes;
  }
}

TEST(Zkey, NamesThePointThatIsNone) {
  expect_refused("alpha_g1: a coordinate is not below",
                 [](Sections& file) { std::fill_n(file.content[2].begin() + kAlpha, 48, u8{0xff}); });
  expect_refused("alpha_g1: the point is not on the curve", [](Sections& file) { file.content[2][kAlpha] ^= 1; });
  expect_refused("delta_g1: the point is infinity",
                 [](Sections& file) { std::fill_n(file.content[2].begin() + kDeltaG1, 96, u8{0}); });
  expect_refused("beta_g2: the point is not on the curve", [](Sections& file) { file.content[2][kBetaG2] ^= 1; });
  expect_refused("alpha_g1: the point is not in the subgroup",
                 [](Sections& file) { std::ranges::copy(outside_subgroup(), file.content[2].begin() + kAlpha); });
  expect_refused("section 3 (ic): ic[1]: the point is infinity",
                 [](Sections& file) { std::fill_n(file.content[3].begin() + 96, 96, u8{0}); });
  for (const u32 section : {5U, 6U, 8U, 9U}) {
    expect_refused("point 2: the point is not on the curve",
                   [&](Sections& file) { file.content[section][2 * 96] ^= 1; });
    expect_refused("point 3: the point is not in the subgroup", [&](Sections& file) {
      std::ranges::copy(outside_subgroup(), file.content[section].begin() + 3 * 96);
    });
  }
  expect_refused("section 7 (b_g2): point 2: the point is not on",
                 [](Sections& file) { file.content[7][2 * 192] ^= 1; });
}

}  // namespace
}  // namespace cuzk::groth16
