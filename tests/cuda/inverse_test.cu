#include <gtest/gtest.h>

#include "cuda/error.h"
#include "cuda/inverse.cuh"
#include "cuda/invert_totals.cuh"
#include "support/gpu_queue.h"
#include "support/random.h"

namespace cuzk::cuda {
namespace {

template <class Field>
__global__ void invert_each(Field* values, std::size_t size) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < size) values[i] = inverse(values[i]);
}

template <class Field>
class DeviceInverse : public testing::Test {
 protected:
  static std::vector<Field> inverted(std::vector<Field> values) {
    for (Field& value : values) value = value.inverse();
    return values;
  }

  test::Random random_{5};
  test::GpuQueue gpu_{std::size_t{1} << 24};
};
using Fields = testing::Types<Fp, Fp2>;
TYPED_TEST_SUITE(DeviceInverse, Fields);

TYPED_TEST(DeviceInverse, OfEveryValueByItself) {
  std::vector<TypeParam> values = test::random_fields<TypeParam>(256, this->random_);
  values[0] = TypeParam::zero();
  values[1] = TypeParam::one();
  values[2] = -TypeParam::one();
  auto buffer = this->gpu_.upload(values);
  invert_each<<<2, 128, 0, this->gpu_.queue().stream.handle()>>>(buffer.data(), buffer.size());
  check_launch("invert_each");
  EXPECT_EQ(buffer.to_host(this->gpu_.queue().stream), this->inverted(values));
}

TYPED_TEST(DeviceInverse, OfTotalsTogether) {
  for (const std::size_t size : {1, 31, 64, 65, 1000}) {
    const std::vector<TypeParam> values = test::random_fields<TypeParam>(size, this->random_);
    auto buffer = this->gpu_.upload(values);
    DeviceBuffer<TypeParam> products(this->gpu_.queue().memory, size);
    invert_totals<<<2, kWarp, 0, this->gpu_.queue().stream.handle()>>>(buffer.data(), products.data(), size);
    check_launch("invert_totals");
    EXPECT_EQ(buffer.to_host(this->gpu_.queue().stream), this->inverted(values)) << size;
  }
}

}  // namespace
}  // namespace cuzk::cuda
