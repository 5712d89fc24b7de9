/// Any bytes as a .vk file, and as a proof of some partitions.
#include "fuzzing.h"
#include "groth16/proof.h"
#include "groth16/verifying_key.h"

extern "C" int LLVMFuzzerTestOneInput(const cuzk::u8* data, std::size_t size) {
  using namespace cuzk;
  fuzz::expect_value_or_invalid_input([&] { groth16::VerifyingKey::from_bytes({data, size}, "key"); });
  fuzz::expect_value_or_invalid_input([&] { groth16::proofs_from_bytes({data, size}); });
  return 0;
}
