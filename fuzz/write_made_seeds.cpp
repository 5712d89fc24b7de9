/// write_made_seeds FOLDER: what no vector holds, for targets to begin with: files of small compiled circuits
/// (circuit_file), public inputs and proofs of the fuzzer's own key (proof).
#include <array>
#include <filesystem>
#include <string>

#include "base/whole_file.h"
#include "r1cs/circuit_file.h"
#include "r1cs/mixed_circuit.h"
#include "r1cs/toy_circuit.h"
#include "toy_works.h"

namespace {

using namespace cuzk;

std::filesystem::path made(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  return folder;
}

void write_circuits(const std::filesystem::path& folder) {
  using namespace r1cs;
  write_circuit(folder / "toy", compile_toy(), {});
  write_circuit(folder / "mixed", compile_mixed(), {{}, Digest{1}});
  write_circuit(folder / "empty", Compiler().finish(), {});
}

void write_proofs(const std::filesystem::path& folder) {
  std::size_t number = 0;
  for (const auto& [input, proof] : fuzz::toy_works().proofs)
    write_whole_file(folder / std::to_string(number++), {input.to_bytes(), proof.to_bytes()});
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const std::filesystem::path folder = arguments[1];
  write_circuits(made(folder / "circuit_file"));
  write_proofs(made(folder / "proof"));
}
