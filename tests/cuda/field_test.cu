// The field headers are one source for host and device: the same expressions give the same bytes on both.
#include <gtest/gtest.h>

#include "cuda/device_buffer.h"
#include "cuda/error.h"
#include "cuda/multiply_constant.cuh"
#include "cuda/square.cuh"
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

/// Small values, those just below the modulus, and others, by number.
template <class Field>
CUZK_HD Field value_of(u64 number) {
  if (number % 3 == 0) return Field::from_u64(number);
  if (number % 3 == 1) return -Field::from_u64(number);
  return chain<Field>(number);
}

template <class Field>
__global__ void evaluate_squares(std::span<Field> results) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < results.size()) results[i] = cuda::square(value_of<Field>(i));
}

TYPED_TEST(DeviceField, SquaresAreProducts) {
  cuda::CudaMalloc memory(0);
  const cuda::Stream stream;
  cuda::DeviceBuffer<TypeParam> results(memory, kCount);
  evaluate_squares<<<(kCount + 127) / 128, 128, 0, stream.handle()>>>(results.span());
  cuda::check_launch("evaluate_squares");
  const auto from_device = results.to_host(stream);
  for (std::size_t i = 0; i < kCount; ++i) {
    const TypeParam x = value_of<TypeParam>(i);
    ASSERT_EQ(from_device[i], x * x) << "number " << i;
  }
}

__global__ void multiply_constants(std::span<const cuda::ConstantFactor> factors, std::span<Fr> results) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < results.size()) results[i] = cuda::multiply(value_of<Fr>(i % kCount), factors[i / kCount]);
}

TEST(DeviceConstantFactor, MultipliesAsTheFieldDoes) {
  constexpr std::size_t kFactors = 64;
  std::vector<Fr> values;
  std::vector<cuda::ConstantFactor> factors;
  for (std::size_t j = 0; j < kFactors; ++j) {
    values.push_back(value_of<Fr>(j));
    factors.push_back(cuda::constant_factor(values.back()));
  }
  cuda::CudaMalloc memory(0);
  const cuda::Stream stream;
  const auto on_device = cuda::upload<cuda::ConstantFactor>(memory, factors, stream);
  cuda::DeviceBuffer<Fr> results(memory, kFactors * kCount);
  multiply_constants<<<kFactors * kCount / 128, 128, 0, stream.handle()>>>(on_device.span(), results.span());
  cuda::check_launch("multiply_constants");
  const auto from_device = results.to_host(stream);
  for (std::size_t i = 0; i < from_device.size(); ++i)
    ASSERT_EQ(from_device[i], value_of<Fr>(i % kCount) * values[i / kCount]) << i % kCount << " * " << i / kCount;
}

}  // namespace
}  // namespace cuzk
