/// Any text as a proof, a verifying key and public inputs of snarkjs. What is read is read again from what is written of it.
#include "fuzzing.h"
#include "groth16/circom/snarkjs_json.h"

extern "C" int LLVMFuzzerTestOneInput(const cuzk::u8* data, std::size_t size) {
  using namespace cuzk;
  const std::string text = fuzz::text_of({data, size});
  fuzz::expect_value_or_invalid_input([&] {
    const auto proof = groth16::proof_from_snarkjs(text, "p.json");
    fuzz::expect(groth16::proof_from_snarkjs(groth16::to_snarkjs(proof), "own") == proof);
  });
  fuzz::expect_value_or_invalid_input([&] {
    const auto key = groth16::verifying_key_from_snarkjs(text, "vk.json");
    fuzz::expect(groth16::verifying_key_from_snarkjs(groth16::to_snarkjs(key), "own") == key);
  });
  fuzz::expect_value_or_invalid_input([&] {
    const auto inputs = groth16::public_inputs_from_snarkjs(text, "public.json");
    fuzz::expect(groth16::public_inputs_from_snarkjs(groth16::to_snarkjs(inputs), "own") == inputs);
  });
  return 0;
}
