#include "cuda/device_multiples.h"

#include <gtest/gtest.h>

#include "groth16/known_statement.h"
#include "groth16/toy_key.h"

namespace cuzk::cuda {
namespace {

std::vector<u8> key_of(const r1cs::Circuit& circuit, const groth16::ToxicWaste& waste,
                       groth16::GeneratorMultiples& multiples) {
  const test::ScratchFolder folder;
  const groth16::KeyFiles files{folder / "key.params", folder / "key.vk"};
  groth16::setup(circuit, waste, files, multiples, ThreadPool::shared(), {});
  return test::read_file(files.params);
}

TEST(DeviceMultiples, MakeTheSameKeyAsThreads) {
  const groth16::KnownStatement known = groth16::known_statement();
  const auto threads = groth16::multiples_by_threads(groth16::key_lengths(known.circuit), ThreadPool::shared());
  const std::vector<u8> expected = key_of(known.circuit, known.waste, *threads);
  for (const std::size_t memory : {std::size_t{200} << 20, std::size_t{1} << 30}) {  // many pieces, or one
    const auto device = device_multiples(0, memory);
    EXPECT_TRUE(key_of(known.circuit, known.waste, *device) == expected) << device->at_once() << " at once";
  }
}

TEST(DeviceMultiples, OfNoDeviceAreSaid) { EXPECT_THROW(device_multiples(99), Error); }

}  // namespace
}  // namespace cuzk::cuda
