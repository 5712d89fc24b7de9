/// The toy circuit's golden key as files.
#pragma once

#include "groth16/golden.h"
#include "groth16/scratch_folder.h"
#include "groth16/setup.h"
#include "r1cs/toy_circuit.h"

namespace cuzk::test {

inline groth16::ToxicWaste waste_of(const nlohmann::json& golden) {
  const auto& waste = golden["toxic_waste"];
  return {.alpha = fr_of(waste["alpha"]),
          .beta = fr_of(waste["beta"]),
          .gamma = fr_of(waste["gamma"]),
          .delta = fr_of(waste["delta"]),
          .tau = fr_of(waste["tau"])};
}

/// toy.params and toy.vk in a folder of their own.
class ToyKey {
 public:
  ToyKey() {
    write_file(params(), bytes_of(vector_json("setup/toy.json")["params"]["bytes"]));
    write_file(vk(), bytes_of(vector_json("setup/toy.json")["vk"]["bytes"]));
  }

  std::filesystem::path params() const { return folder_ / "toy.params"; }
  std::filesystem::path vk() const { return folder_ / "toy.vk"; }

 private:
  ScratchFolder folder_;
};

}  // namespace cuzk::test
