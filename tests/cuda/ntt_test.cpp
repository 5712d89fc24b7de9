#include "cuda/ntt.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "poly/domain.h"
#include "support/gpu_queue.h"
#include "support/random.h"

namespace cuzk::cuda {
namespace {

class DeviceNtt : public testing::TestWithParam<unsigned> {
 protected:
  using OnDevice = void (NttDomain::*)(DeviceBuffer<Fr>&);
  using OnHost = void (Domain::*)(std::span<Fr>, ThreadPool&) const;

  void expect_equal(OnDevice on_device, OnHost on_host) {
    test::Random random(GetParam());
    std::vector<Fr> values = test::random_fields<Fr>(std::size_t{1} << GetParam(), random);
    DeviceBuffer<Fr> buffer = gpu_.upload(values);
    NttDomain domain(gpu_.queue(), GetParam());
    (domain.*on_device)(buffer);
    (Domain(GetParam()).*on_host)(values, ThreadPool::shared());
    EXPECT_EQ(buffer.to_host(gpu_.queue().stream), values);
  }

  test::GpuQueue gpu_{std::size_t{1} << 30};
};

TEST_P(DeviceNtt, Forward) { expect_equal(&NttDomain::forward, &Domain::forward); }
TEST_P(DeviceNtt, Inverse) { expect_equal(&NttDomain::inverse, &Domain::inverse); }
TEST_P(DeviceNtt, CosetForward) { expect_equal(&NttDomain::coset_forward, &Domain::coset_forward); }
TEST_P(DeviceNtt, CosetInverse) { expect_equal(&NttDomain::coset_inverse, &Domain::coset_inverse); }

TEST_P(DeviceNtt, ShiftToCoset) {
  test::GpuQueue gpu(std::size_t{1} << 28);
  test::Random random(9);
  NttDomain domain(gpu.queue(), GetParam());
  auto expected = gpu.upload(test::random_fields<Fr>(domain.size(), random));
  auto shifted = gpu.upload(expected.to_host(gpu.queue().stream));
  domain.inverse(expected);
  domain.coset_forward(expected);
  domain.shift_to_coset(shifted);
  EXPECT_EQ(shifted.to_host(gpu.queue().stream), expected.to_host(gpu.queue().stream));
}

INSTANTIATE_TEST_SUITE_P(Sizes, DeviceNtt, testing::Range(0U, 21U));

TEST(DeviceNttErrors, NameTheSize) {
  test::GpuQueue gpu(std::size_t{1} << 26);
  EXPECT_THROW(NttDomain(gpu.queue(), 29), Error);
  NttDomain domain(gpu.queue(), 3);
  DeviceBuffer<Fr> values(gpu.queue().memory, 9);
  EXPECT_THROW(domain.forward(values), Error);
}

/// x^a + x^b + x^c at w^j is w^(a j) + w^(b j) + w^(c j).
TEST(DeviceNttFullSize, SparsePolynomial) {
  constexpr unsigned kLog2 = 27;
  constexpr u64 kMask = (u64{1} << kLog2) - 1;
  test::GpuQueue gpu(std::size_t{9} << 30);
  NttDomain domain(gpu.queue(), kLog2);
  DeviceBuffer<Fr> values(gpu.queue().memory, domain.size());
  values.fill_zero(gpu.queue().stream);
  const Fr one = Fr::one();
  const u64 exponents[] = {5, 1234567, kMask};
  for (const u64 exponent : exponents) copy(values.span().subspan(exponent, 1), std::span(&one, 1), gpu.queue().stream);
  domain.forward(values);
  const Fr root = Domain(kLog2).root();
  for (u64 j = 0; j <= kMask; j += 1299709) {
    Fr expected = Fr::zero(), found;
    for (const u64 exponent : exponents) expected += root.pow(exponent * j & kMask);
    copy(std::span(&found, 1), std::as_const(values).span().subspan(j, 1), gpu.queue().stream);
    gpu.queue().stream.synchronize();
    ASSERT_EQ(found, expected) << j;
  }
}

}  // namespace
}  // namespace cuzk::cuda
