// JSON of snarkjs: its proofs verify here, what is written is read as the same, and every broken rule is named.
#include "groth16/circom/snarkjs_json.h"

#include <gtest/gtest.h>

#include "groth16/circom/decimal.h"
#include "groth16/circom/zkey.h"
#include "groth16/expect_error.h"
#include "groth16/verifier.h"
#include "support/vectors.h"

namespace cuzk::groth16 {
namespace {

using nlohmann::json;
using test::expect_error;
using test::vector_json;
using test::vector_text;

Proof proof_of(const std::string& name) {
  return proof_from_snarkjs(vector_text("circom/" + name + ".proof.json"), "proof.json");
}
VerifyingKey key_of(const std::string& name) {
  return verifying_key_from_snarkjs(vector_text("circom/" + name + ".vk.json"), "vk.json");
}
std::vector<Fr> publics_of(const std::string& name) {
  return public_inputs_from_snarkjs(vector_text("circom/" + name + ".public.json"), "public.json");
}

TEST(SnarkjsJson, ItsProofsVerify) {
  for (const std::string name : {"product", "chain"}) {
    SCOPED_TRACE(name);
    const Verifier verifier(key_of(name));
    auto publics = publics_of(name);
    EXPECT_TRUE(verifier.verify(proof_of(name), publics));
    publics[0] += Fr::one();
    EXPECT_FALSE(verifier.verify(proof_of(name), publics));
  }
}

TEST(SnarkjsJson, IsReadAsItWasWritten) {
  for (const std::string name : {"product", "chain"}) {
    EXPECT_EQ(proof_from_snarkjs(to_snarkjs(proof_of(name)), "own"), proof_of(name));
    EXPECT_EQ(verifying_key_from_snarkjs(to_snarkjs(key_of(name)), "own"), key_of(name));
    EXPECT_EQ(public_inputs_from_snarkjs(to_snarkjs(publics_of(name)), "own"), publics_of(name));
    EXPECT_EQ(json::parse(to_snarkjs(proof_of(name))), vector_json("circom/" + name + ".proof.json"));
    EXPECT_EQ(json::parse(to_snarkjs(publics_of(name))), vector_json("circom/" + name + ".public.json"));
    json key = vector_json("circom/" + name + ".vk.json");
    key.erase("vk_alphabeta_12");
    EXPECT_EQ(json::parse(to_snarkjs(key_of(name))), key);
  }
  EXPECT_TRUE(public_inputs_from_snarkjs("[]", "own").empty());
}

TEST(Decimal, HasOneTextForEachElement) {
  EXPECT_EQ(to_decimal(Fr::zero()), "0");
  EXPECT_EQ(to_decimal(-Fr::one()), "52435875175126190479447740508185965837690552500527637822603658699938581184512");
  EXPECT_EQ(to_decimal(Fr::from_integer_unchecked(Limbs<4>{{10'000'000'000'000'000'000U}})), "10000000000000000000");
  EXPECT_EQ(to_decimal(Fr::from_u64(10'000'000'000) * Fr::from_u64(10'000'000'000)), "100000000000000000000");
  for (const Fr& x : {Fr::zero(), Fr::one(), -Fr::one(), Fr::from_u64(7).pow(u64{1000})}) {
    EXPECT_EQ(from_decimal<Fr>(to_decimal(x)), x);
  }
  const std::string modulus = "52435875175126190479447740508185965837690552500527637822603658699938581184513";
  for (const std::string& wrong :
       {std::string(), std::string("00"), std::string("01"), std::string("-1"), std::string("1 "), std::string("0x1"),
        std::string("1e3"), std::string("\xd9\xa1"), modulus, modulus + "0", std::string(5000, '9')}) {
    EXPECT_FALSE(from_decimal<Fr>(wrong)) << wrong;
  }
}

template <class Change>
void expect_proof_refused(const std::string& part, Change change) {
  SCOPED_TRACE(part);
  json proof = vector_json("circom/product.proof.json");
  change(proof);
  expect_error(Code::invalid_input, part, [&] { proof_from_snarkjs(proof.dump(), "p.json"); });
}

const std::string kModulus =
    "400240955522166739341778982573590415655688281993900788533205813612403165049083786444268762912901566403789427255978"
    "7";

TEST(SnarkjsJson, NamesWhatIsWrongWithAProof) {
  expect_error(Code::invalid_input, "p.json: is no JSON", [] { proof_from_snarkjs("{", "p.json"); });
  expect_error(Code::invalid_input, "there is no \"protocol\"", [] { proof_from_snarkjs("[]", "p.json"); });
  expect_error(Code::invalid_input, "is no JSON", [] { proof_from_snarkjs(std::string(100000, '['), "p.json"); });
  expect_proof_refused("p.json: there is no \"pi_b\"", [](json& proof) { proof.erase("pi_b"); });
  expect_proof_refused("protocol: expected \"groth16\"", [](json& proof) { proof["protocol"] = "plonk"; });
  expect_proof_refused("curve: expected \"bls12381\"", [](json& proof) { proof["curve"] = "bn128"; });
  expect_proof_refused("pi_a: 2 items, expected 3", [](json& proof) { proof["pi_a"].erase(2); });
  expect_proof_refused("pi_a: is no array", [](json& proof) { proof["pi_a"] = "1"; });
  expect_proof_refused("pi_a[0]: is no string", [](json& proof) { proof["pi_a"][0] = 1; });
  expect_proof_refused("pi_a[0]: expected decimal digits", [](json& proof) { proof["pi_a"][0] = kModulus; });
  expect_proof_refused("pi_a[2]: expected \"1\"", [](json& proof) { proof["pi_a"] = {"0", "1", "0"}; });
  expect_proof_refused("pi_c: the point is not on the curve", [](json& proof) { proof["pi_c"] = {"1", "1", "1"}; });
  expect_proof_refused("pi_c: the point is not on the curve", [](json& proof) { proof["pi_c"] = {"0", "0", "1"}; });
  expect_proof_refused("pi_c: the point is not in the subgroup", [](json& proof) { proof["pi_c"] = {"0", "2", "1"}; });
  expect_proof_refused("pi_b[0]: 3 items, expected 2", [](json& proof) { proof["pi_b"][0].push_back("1"); });
  expect_proof_refused("pi_b[2][1]: expected \"0\"", [](json& proof) { proof["pi_b"][2][1] = "1"; });
  expect_proof_refused("pi_b: the point is not on the curve",
                       [](json& proof) { std::swap(proof["pi_b"][0][0], proof["pi_b"][0][1]); });
}

template <class Change>
void expect_key_refused(const std::string& part, Change change) {
  SCOPED_TRACE(part);
  json key = vector_json("circom/product.vk.json");
  change(key);
  expect_error(Code::invalid_input, part, [&] { verifying_key_from_snarkjs(key.dump(), "vk.json"); });
}

TEST(SnarkjsJson, NamesWhatIsWrongWithAKey) {
  expect_key_refused("nPublic: 3, expected one less than the 5 points", [](json& key) { key["nPublic"] = 3; });
  expect_key_refused("nPublic: is no number", [](json& key) { key["nPublic"] = "4"; });
  expect_key_refused("the 0 points of IC", [](json& key) { key["IC"] = json::array(); });
  expect_key_refused("IC[1]: 0 items, expected 3", [](json& key) { key["IC"][1] = json::array(); });
  expect_key_refused("gamma_g2 is delta_g2", [](json& key) { key["vk_delta_2"] = key["vk_gamma_2"]; });
  expect_key_refused("vk_alpha_1[2]: expected \"1\"", [](json& key) { key["vk_alpha_1"] = {"0", "1", "0"}; });
}

TEST(SnarkjsJson, NamesThePublicInputThatIsNone) {
  const auto expect = [](const std::string& text, const std::string& part) {
    expect_error(Code::invalid_input, part, [&] { public_inputs_from_snarkjs(text, "public.json"); });
  };
  expect(R"({"0":"1"})", "public.json: is no array");
  expect(R"(["1", 2])", "public.json[1]: is no string");
  expect(R"(["52435875175126190479447740508185965837690552500527637822603658699938581184513"])",
         "public.json[0]: expected decimal digits of a number below the field's modulus");
}

}  // namespace
}  // namespace cuzk::groth16
