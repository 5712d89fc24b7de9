// Circuits of circom on the command line: import, prove, verify, export, and what is said of wrong use.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "apps/process.h"
#include "support/vectors.h"

namespace cuzk {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class CircomCli : public testing::Test {
 protected:
  static std::string vector(const std::string& name) { return test::vector_path("circom/" + name); }

  test::Outcome cuzk(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), CUZK_PROGRAM);
    return test::run(arguments);
  }

  json cuzk_json(std::vector<std::string> arguments) const {
    arguments.emplace_back("--json");
    const auto outcome = cuzk(std::move(arguments));
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return json::parse(outcome.out, nullptr, false);
  }

  void expect_fails(int status, const std::string& part, const std::vector<std::string>& arguments) const {
    const auto outcome = cuzk(arguments);
    EXPECT_EQ(outcome.status, status) << outcome.out;
    EXPECT_THAT(outcome.err + outcome.out, HasSubstr(part));
  }

  std::string file(const std::string& name) const { return folder / name; }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder / name, std::ios::binary) << text;
    return file(name);
  }

  test::TemporaryFolder folder;
};

TEST_F(CircomCli, ImportShowsWhatAFileHolds) {
  const auto circuit = cuzk_json({"import", vector("product.r1cs"), "--wtns", vector("product.wtns")});
  EXPECT_EQ(circuit["kind"], "r1cs");
  EXPECT_EQ(circuit["wires"], 23);
  EXPECT_EQ(circuit["constraints"], 20);
  EXPECT_EQ(circuit["satisfied"], true);
  EXPECT_EQ(cuzk_json({"import", vector("product.zkey")})["domain"], 32);
  EXPECT_EQ(cuzk_json({"import", vector("chain.wtns")})["wires"], 73);
  expect_fails(1, "not a file of circom", {"import", vector("product.vk.json")});
  expect_fails(1, "73 wires, expected 23", {"import", vector("product.r1cs"), "--wtns", vector("chain.wtns")});
  expect_fails(1, "gamma_g2 is delta_g2", {"import", vector("product.no-contribution.zkey")});
  expect_fails(2, "only with a .r1cs", {"import", vector("product.zkey"), "--wtns", vector("product.wtns")});
}

TEST_F(CircomCli, ProvesWithAKeyOfSnarkjs) {
  const auto made = cuzk_json({"prove", "--zkey", vector("product.zkey"), "--wtns", vector("product.wtns"), "--proof",
                               file("proof.json"), "--public", file("public.json"), "--out", file("proof.bin")});
  EXPECT_EQ(made["verified"], true);
  EXPECT_EQ(made["public_inputs"], 4);
  EXPECT_EQ(json::parse(test::text_of(file("public.json"))), test::vector_json("circom/product.public.json"));
  for (const auto& key : {vector("product.vk.json"), vector("product.zkey")}) {
    for (const auto& proof : {file("proof.json"), file("proof.bin"), vector("product.proof.json")}) {
      EXPECT_EQ(cuzk_json({"verify", "--vk", key, "--proof", proof, "--public", file("public.json")})["valid"], true);
    }
  }
  expect_fails(1, "does not hold",
               {"verify", "--vk", vector("product.vk.json"), "--proof", file("proof.json"), "--public",
                write("other.json", R"(["1","2","3","4"])")});
  expect_fails(1, "1 public inputs, expected 4",
               {"verify", "--vk", vector("product.vk.json"), "--proof", file("proof.json"), "--public",
                vector("chain.public.json")});
}

TEST_F(CircomCli, ProvesWithAKeyOfItsOwn) {
  EXPECT_EQ(cuzk({"setup", "--r1cs", vector("chain.r1cs"), "--out", file("keys")}).status, 0);
  cuzk_json({"prove", "--r1cs", vector("chain.r1cs"), "--params", file("keys/chain.params"), "--wtns",
             vector("chain.wtns"), "--device", "cpu", "--proof", file("proof.json"), "--public", file("public.json")});
  EXPECT_EQ(cuzk({"export", "--vk", file("keys/chain.vk"), "--out", file("vk.json")}).status, 0);
  for (const auto& key : {file("vk.json"), file("keys/chain.vk")}) {
    EXPECT_EQ(
        cuzk_json({"verify", "--vk", key, "--proof", file("proof.json"), "--public", file("public.json")})["valid"],
        true);
  }
  expect_fails(
      1, "does not hold",
      {"verify", "--vk", vector("chain.vk.json"), "--proof", file("proof.json"), "--public", file("public.json")});
}

TEST_F(CircomCli, NamesTheConstraintThatAWitnessBreaks) {
  auto bytes = test::vector_bytes("circom/product.wtns");
  bytes[bytes.size() - 32] ^= 1;  // the last wire
  const auto wrong = write("wrong.wtns", {bytes.begin(), bytes.end()});
  expect_fails(1, "does not hold", {"import", vector("product.r1cs"), "--wtns", wrong});
  expect_fails(1, "none verifies", {"prove", "--zkey", vector("product.zkey"), "--wtns", wrong});
  EXPECT_EQ(cuzk({"setup", "--r1cs", vector("product.r1cs"), "--out", file("keys")}).status, 0);
  expect_fails(1, "constraint",
               {"prove", "--r1cs", vector("product.r1cs"), "--params", file("keys/product.params"), "--wtns", wrong,
                "--device", "cpu"});
}

TEST_F(CircomCli, ExportTurnsProofsThereAndBack) {
  EXPECT_EQ(cuzk({"export", "--proof", vector("product.proof.json"), "--out", file("proof.bin")}).status, 0);
  EXPECT_EQ(std::filesystem::file_size(file("proof.bin")), 192U);
  EXPECT_EQ(cuzk({"export", "--proof", file("proof.bin"), "--out", file("proof.json")}).status, 0);
  EXPECT_EQ(json::parse(test::text_of(file("proof.json"))), test::vector_json("circom/product.proof.json"));
  EXPECT_EQ(cuzk({"export", "--vk", vector("product.zkey"), "--out", file("key.vk")}).status, 0);
  EXPECT_EQ(cuzk({"export", "--vk", file("key.vk"), "--out", file("key.json")}).status, 0);
  auto expected = test::vector_json("circom/product.vk.json");
  expected.erase("vk_alphabeta_12");
  EXPECT_EQ(json::parse(test::text_of(file("key.json"))), expected);
  expect_fails(1, "has no beta and delta of G1", {"export", "--vk", vector("product.vk.json"), "--out", file("k.vk")});
}

TEST_F(CircomCli, SaysWhatBelongsTogether) {
  expect_fails(2, "KIND", {"prove"});
  expect_fails(2, "INPUT", {"prove", "porep"});
  expect_fails(2, "KIND", {"verify"});
  expect_fails(2, "--wtns", {"prove", "--zkey", "a"});
  expect_fails(2, "one of the two", {"prove", "--wtns", "w"});
  expect_fails(2, "one of the two", {"prove", "--zkey", "a", "--r1cs", "b", "--wtns", "w"});
  expect_fails(2, "only together", {"prove", "--r1cs", "b", "--wtns", "w"});
  expect_fails(2, "without KIND", {"prove", "toy", "x", "--zkey", "a", "--wtns", "w"});
  expect_fails(2, "--public", {"verify", "--vk", "a", "--proof", "b"});
  expect_fails(2, "one of the two", {"export", "--out", "x"});
  expect_fails(2, "one of the two", {"setup", "--out", "x"});
  expect_fails(1, "/nowhere.zkey", {"prove", "--zkey", "/nowhere.zkey", "--wtns", vector("product.wtns")});
}

}  // namespace
}  // namespace cuzk
