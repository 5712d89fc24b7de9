/// Any bytes as a .vk file, and as a proof of some partitions. What is read is written as the same bytes.
#include <algorithm>

#include "fuzzing.h"
#include "groth16/proof.h"
#include "groth16/verifying_key.h"

extern "C" int LLVMFuzzerTestOneInput(const cuzk::u8* data, std::size_t size) {
  using namespace cuzk;
  const std::span bytes(data, size);
  fuzz::expect_value_or_invalid_input([&] {
    const auto key = groth16::VerifyingKey::from_bytes(bytes, "key");
    fuzz::expect(std::ranges::equal(key.to_bytes(), bytes));
  });
  fuzz::expect_value_or_invalid_input([&] {
    const auto proofs = groth16::proofs_from_bytes(bytes);
    fuzz::expect(std::ranges::equal(groth16::proofs_to_bytes(proofs), bytes));
  });
  return 0;
}
