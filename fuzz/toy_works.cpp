#include "toy_works.h"

#include <unistd.h>

#include <array>
#include <filesystem>

#include "groth16/cpu_prover.h"
#include "groth16/setup.h"
#include "one_thread.h"
#include "r1cs/toy_circuit.h"

namespace cuzk::fuzz {
namespace {

/// For the key's two files; gone with the object.
struct Folder {
  std::filesystem::path path = "/dev/shm/cuzk_fuzz_" + std::to_string(::getpid());
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
};

ToyWorks make() {
  const auto circuit = r1cs::compile_toy();
  const Folder folder;
  const groth16::KeyFiles files{folder.path / "toy.params", folder.path / "toy.vk"};
  const auto scalar = [](u64 value) { return Fr::from_u64(value); };
  groth16::setup(circuit, {scalar(3), scalar(5), scalar(7), scalar(11), scalar(13)}, files, one_thread(), {});
  groth16::CpuProver prover(one_thread());
  const auto key = prover.load_key(files.params, groth16::KeyCheck::points, {});
  ToyWorks works{key->verifying_key(), {}};
  for (const u64 x : {3U, 4U}) {
    const auto witness = r1cs::toy_witness(scalar(x));
    const auto blinding = groth16::Blinding::insecure_fixed(scalar(x + 1), scalar(x + 2));
    works.proofs.push_back({witness.inputs()[1], prover.prove({*key, circuit, witness}, blinding, {})});
  }
  return works;
}

}  // namespace

const ToyWorks& toy_works() {
  static const ToyWorks works = make();
  return works;
}

}  // namespace cuzk::fuzz
