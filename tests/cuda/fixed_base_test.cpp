#include "cuda/fixed_base.h"

#include "msm/fixed_base.h"
#include "msm/msm_support.h"
#include "support/gpu_queue.h"

namespace cuzk::cuda {
namespace {

template <class Affine>
class DeviceFixedBase : public testing::Test {};
TYPED_TEST_SUITE(DeviceFixedBase, test::Groups, test::GroupNames);

TYPED_TEST(DeviceFixedBase, IsThatOfTheHost) {
  using Curve = typename TypeParam::Curve;
  test::GpuQueue gpu(std::size_t{1} << 30);
  test::Random random(9);
  std::vector<Fr> scalars = test::random_fields<Fr>(5000, random);
  scalars[0] = Fr::zero();
  scalars[1] = Fr::one();
  scalars[2] = -Fr::one();
  const auto base = Point<Curve>(test::random_point<TypeParam>(random));
  const FixedBase<Curve> table(gpu.queue(), base);
  const auto device_scalars = gpu.upload(scalars);
  DeviceBuffer<TypeParam> points(gpu.queue().memory, scalars.size());
  table.multiply(device_scalars.span(), points.span());
  EXPECT_EQ(points.to_host(gpu.queue().stream), msm::FixedBase<Curve>(base).multiply(scalars, ThreadPool::shared()));
}

}  // namespace
}  // namespace cuzk::cuda
