#include "groth16/known_statement.h"

#include <gtest/gtest.h>

#include "groth16/cpu_prover.h"
#include "groth16/scratch_folder.h"
#include "groth16/verifier.h"

namespace cuzk::groth16 {
namespace {

bool proves(const KnownStatement& known, const r1cs::Witness& witness) {
  const test::ScratchFolder folder;
  const KeyFiles files{folder / "known.params", folder / "known.vk"};
  setup(known.circuit, known.waste, files, ThreadPool::shared(), {});
  CpuProver prover(ThreadPool::shared());
  const auto key = prover.load_key(files.params, KeyCheck::points, {});
  const Proof proof = prover.prove({*key, known.circuit, witness}, Blinding::fresh(), {});
  return Verifier(key->verifying_key()).verify(proof, known.public_inputs);
}

TEST(KnownStatement, IsTrue) {
  const KnownStatement known = known_statement();
  EXPECT_TRUE(proves(known, known.witness));
}

TEST(KnownStatement, IsNotTrueOfAnotherWitness) {
  const KnownStatement known = known_statement();
  r1cs::Witness other;
  other.add_input(known.public_inputs[0]);
  for (u32 i = 0; i < known.circuit.aux(); ++i) other.add_element(Fr::one());
  EXPECT_FALSE(proves(known, other));
}

}  // namespace
}  // namespace cuzk::groth16
