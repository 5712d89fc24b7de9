/// Keys of random circuits, the same for the same seed.
#pragma once

#include "attacks/random_circuit.h"
#include "groth16/cpu_prover.h"
#include "groth16/scratch_folder.h"
#include "groth16/setup.h"

namespace cuzk::test {

inline groth16::ToxicWaste random_waste(u64 seed) {
  Random random(seed);
  const auto scalar = [&] { return random_field<Fr>(random); };
  return {scalar(), scalar(), scalar(), scalar(), scalar()};
}

/// A circuit with its key in files of its own, loaded by two provers: into memory, and to be read from the file.
class RandomKey {
 public:
  explicit RandomKey(u64 seed) : program(seed), circuit(program.compile()) {
    groth16::setup(circuit, random_waste(seed), {folder_ / "k.params", folder_ / "k.vk"}, ThreadPool::shared(), {});
    in_memory_ = prover_.load_key(folder_ / "k.params", groth16::KeyCheck::subgroups, {});
    in_file_ = file_prover_.load_key(folder_ / "k.params", groth16::KeyCheck::subgroups, {});
  }

  enum class Where { memory, file };
  groth16::Proof prove(const r1cs::Witness& witness, const Fr& r, const Fr& s, Where where = Where::memory) {
    const auto blinding = groth16::Blinding::insecure_fixed(r, s);
    if (where == Where::file) return file_prover_.prove({*in_file_, circuit, witness}, blinding, {});
    return prover_.prove({*in_memory_, circuit, witness}, blinding, {});
  }

  const groth16::VerifyingKey& verifying_key() const { return in_memory_->verifying_key(); }

  RandomProgram program;
  r1cs::Circuit circuit;

 private:
  ScratchFolder folder_;
  groth16::CpuProver prover_{ThreadPool::shared()}, file_prover_{ThreadPool::shared(), 0};
  std::shared_ptr<const groth16::ProvingKey> in_memory_, in_file_;
};

}  // namespace cuzk::test
