/// write_circuit_seeds FOLDER: files of small compiled circuits, for circuit_file_fuzz to begin with.
#include <filesystem>

#include "r1cs/circuit_file.h"
#include "r1cs/mixed_circuit.h"
#include "r1cs/toy_circuit.h"

int main(int count, char** arguments) {
  using namespace cuzk::r1cs;
  if (count != 2) return 2;
  const std::filesystem::path folder = arguments[1];
  write_circuit(folder / "toy", compile_toy(), {});
  write_circuit(folder / "mixed", compile_mixed(), {{}, cuzk::Digest{1}});
  write_circuit(folder / "empty", Compiler().finish(), {});
}
