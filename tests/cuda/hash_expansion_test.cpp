#include "cuda/hash_expansion.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "r1cs/expansion.h"
#include "r1cs/hashing_witness.h"
#include "support/gpu_queue.h"

namespace cuzk::cuda {
namespace {

class DeviceWitnessOfHashes : public testing::Test {
 protected:
  std::vector<Fr> elements_of(const r1cs::Witness& witness) {
    const DeviceWitness on_device(gpu_.queue(), staging_, witness);
    const std::size_t size = witness.inputs().size() + on_device.elements();
    std::vector<Fr> elements(size);
    copy_to_host(std::span(elements), std::span(on_device.view().elements, size));
    return elements;
  }

  std::vector<Fr> expected_elements(const r1cs::Witness& witness) {
    const r1cs::Witness plain = r1cs::expanded(witness, ThreadPool::shared());
    std::vector<Fr> elements(plain.inputs().begin(), plain.inputs().end());
    elements.insert(elements.end(), plain.elements().begin(), plain.elements().end());
    return elements;
  }

  void copy_to_host(std::span<Fr> to, std::span<const Fr> from) {
    DeviceBuffer<Fr> copied(gpu_.queue().memory, from.size());
    copy(copied.span(), from, gpu_.queue().stream);
    const std::vector<Fr> values = copied.to_host(gpu_.queue().stream);
    std::ranges::copy(values, to.begin());
  }

  test::GpuQueue gpu_{std::size_t{1} << 30};
  Staging staging_{gpu_.queue().stream, ThreadPool::shared()};
};

TEST_F(DeviceWitnessOfHashes, HasTheHostsValues) {
  for (const u32 hashes : {1u, 2u, 7u, 8u, 9u, 100u, 3000u}) {
    const r1cs::Witness witness = r1cs::hashing_witness(hashes, hashes);
    EXPECT_EQ(elements_of(witness), expected_elements(witness)) << hashes << " hashes";
  }
}

TEST_F(DeviceWitnessOfHashes, OfNothingElse) {
  r1cs::Witness witness;
  for (u64 i = 0; i < 300; ++i) witness.add_hash({PoseidonTag::merkle, 2}, std::array{Fr::from_u64(i), Fr::zero()});
  EXPECT_EQ(elements_of(witness), expected_elements(witness));
}

TEST_F(DeviceWitnessOfHashes, RefusesWhatIsTooWide) {
  r1cs::Witness witness;
  witness.add_hash({PoseidonTag::merkle, 16}, std::vector<Fr>(16, Fr::one()));
  EXPECT_THROW(elements_of(witness), Error);
}

}  // namespace
}  // namespace cuzk::cuda
