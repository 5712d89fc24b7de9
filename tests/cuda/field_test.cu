// The field headers are one source for host and device: the same expressions give the same bytes on both.
#include <gtest/gtest.h>

#include "cuda/device_buffer.h"
#include "cuda/error.h"
#include "field/fp.h"
#include "field/fr.h"

namespace cuzk {
namespace {

constexpr std::size_t kCount = 1024;

/// A chain that uses every operation of a field.
template <class Field>
CUZK_HD Field chain(u64 seed) {
  const Field x = Field::from_u64(seed), y = -Field::from_u64(seed * seed + 1);
  return (x * y + x.squared() - y.doubled()) * (x + Field::one()).inverse();
}

template <class Field>
__global__ void evaluate_chains(std::span<Field> results) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < results.size()) results[i] = chain<Field>(i);
}

template <class Field>
class DeviceField : public testing::Test {};
using Fields = testing::Types<Fr, Fp>;
TYPED_TEST_SUITE(DeviceField, Fields);

TYPED_TEST(DeviceField, AgreesWithTheHost) {
  cuda::CudaMalloc memory(0);
  const cuda::Stream stream;
  cuda::DeviceBuffer<TypeParam> results(memory, kCount);
  evaluate_chains<<<(kCount + 127) / 128, 128, 0, stream.handle()>>>(results.span());
  cuda::check_launch("evaluate_chains");
  const auto from_device = results.to_host(stream);
  for (std::size_t i = 0; i < kCount; ++i) ASSERT_EQ(from_device[i], chain<TypeParam>(i)) << "seed " << i;
}

}  // namespace
}  // namespace cuzk
