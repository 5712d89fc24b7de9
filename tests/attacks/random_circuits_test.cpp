// Random circuits: whatever way a proof is made it is the same for the same r and s, and a wrong witness has none.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <stdio.h>  // popen

#include <filesystem>
#include <iostream>
#include <memory>
#include <sstream>

#include "attacks/random_key.h"
#include "base/hex.h"
#include "field/kernels.h"
#include "groth16/verifier.h"

namespace cuzk::groth16 {
namespace {

using test::RandomKey;

std::vector<Fr> publics_of(const r1cs::Witness& witness) {
  const auto inputs = witness.inputs().subspan(1);
  return {inputs.begin(), inputs.end()};
}

RC_GTEST_PROP(RandomCircuits, HaveProofsThatVerifyAndDependOnRAndSAlone, (u64 seed, u64 r, u64 s)) {
  RandomKey key(seed);
  const auto values = key.program.values(seed + 1);
  RC_ASSERT(key.program.holds(values));
  const auto witness = key.program.witness(values);
  const Fr r_field = Fr::from_u64(r), s_field = Fr::from_u64(s);
  const Proof proof = key.prove(witness, r_field, s_field);
  RC_ASSERT(Verifier(key.verifying_key()).verify(proof, publics_of(witness)));
  RC_ASSERT(key.prove(witness, r_field, s_field, RandomKey::Where::file) == proof);
  RC_ASSERT(Proof::from_bytes(proof.to_bytes()) == proof);
}

RC_GTEST_PROP(RandomCircuits, HaveNoProofOfAWrongWitness, (u64 seed, u64 place, u64 shift)) {
  RandomKey key(seed);
  auto values = key.program.values(seed + 1);
  values[1 + place % (values.size() - 1)] += Fr::from_u64(1 + shift % 1000);
  RC_PRE(!key.program.holds(values));  // a variable that occurs nowhere may have any value
  const auto witness = key.program.witness(values);
  const Proof proof = key.prove(witness, Fr::from_u64(seed), Fr::from_u64(shift));
  RC_ASSERT(!Verifier(key.verifying_key()).verify(proof, publics_of(witness)));
}

RC_GTEST_PROP(RandomCircuits, HaveNoProofOfOtherPublicInputs, (u64 seed, u64 place, u64 shift)) {
  RandomKey key(seed);
  RC_PRE(key.program.publics() > 0);
  const auto witness = key.program.witness(key.program.values(seed + 1));
  const Proof proof = key.prove(witness, Fr::from_u64(place), Fr::from_u64(shift));
  auto publics = publics_of(witness);
  publics[place % publics.size()] += Fr::from_u64(1 + shift % 1000);
  RC_ASSERT(!Verifier(key.verifying_key()).verify(proof, publics));
}

constexpr u64 kSeeds = 12;

std::string proofs_of_seeds() {
  std::string text;
  for (u64 seed = 1; seed <= kSeeds; ++seed) {
    RandomKey key(seed);
    const auto witness = key.program.witness(key.program.values(seed));
    text += "proof " + to_hex(key.prove(witness, Fr::from_u64(seed), Fr::from_u64(seed + 1)).to_bytes()) + "\n";
  }
  return text;
}

/// Runs in a process that RandomCircuitsOnPath starts.
TEST(RandomCircuitsWorker, DISABLED_Prints) {
  std::cout << "proof path " << name_of(chosen_kernels()) << '\n' << proofs_of_seeds();
}

/// The lines of this program again, under CUZK_CPU=name.
std::vector<std::string> lines_of_process(std::string_view name) {
  const std::string command =
      fmt::format("CUZK_CPU={} '{}' --gtest_also_run_disabled_tests --gtest_filter=RandomCircuitsWorker.* 2>&1", name,
                  std::filesystem::read_symlink("/proc/self/exe").string());
  const std::unique_ptr<FILE, int (*)(FILE*)> output(popen(command.c_str(), "r"), pclose);
  std::string text;
  std::array<char, 4096> piece;
  while (fgets(piece.data(), piece.size(), output.get()) != nullptr) text += piece.data();
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("proof ")) lines.push_back(line);
  }
  EXPECT_EQ(lines.size(), kSeeds + 1) << text;
  return lines;
}

class RandomCircuitsOnPath : public testing::TestWithParam<Kernels> {};

TEST_P(RandomCircuitsOnPath, HaveTheProofsThatPortableCodeMakes) {
  const std::string_view name = name_of(GetParam());
  if (!is_supported(GetParam())) GTEST_SKIP() << "this processor does not have " << name;
  static const auto portable = lines_of_process("portable");
  auto found = lines_of_process(name);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0], fmt::format("proof path {}", name));
  found[0] = "proof path portable";
  EXPECT_EQ(found, portable);
}
INSTANTIATE_TEST_SUITE_P(Forced, RandomCircuitsOnPath, testing::Values(Kernels::adx, Kernels::avx2, Kernels::ifma),
                         [](const auto& info) { return std::string(name_of(info.param)); });

}  // namespace
}  // namespace cuzk::groth16
