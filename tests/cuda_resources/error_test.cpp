#include "cuda/error.h"

#include <gtest/gtest.h>

#include "base/failpoint.h"
#include "cuda/device.h"
#include "cuda/memory_resource.h"

namespace cuzk::cuda {
namespace {

TEST(CudaError, SuccessIsNoError) { EXPECT_NO_THROW(check(cudaSuccess, "cudaMalloc")); }

TEST(CudaError, NamesTheCallAndWhatCudaSays) {
  try {
    check(cudaErrorMemoryAllocation, "cudaMalloc of 5 bytes");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::resource_exhausted);
    EXPECT_STREQ(error.what(), "cudaMalloc of 5 bytes: cudaErrorMemoryAllocation (out of memory)");
  }
}

TEST(CudaError, KnowsWhenTheDeviceIsLost) {
  for (const cudaError_t status : {cudaErrorIllegalAddress, cudaErrorLaunchFailure, cudaErrorECCUncorrectable,
                                   cudaErrorDevicesUnavailable, cudaErrorUnknown, cudaErrorAssert})
    EXPECT_EQ(code_of(status), Code::device_lost) << cudaGetErrorName(status);
  for (const cudaError_t status : {cudaErrorInvalidValue, cudaErrorInvalidConfiguration, cudaErrorLaunchOutOfResources,
                                   cudaErrorNoKernelImageForDevice, cudaErrorNotReady})
    EXPECT_EQ(code_of(status), Code::internal) << cudaGetErrorName(status);
}

TEST(CudaError, WhatIsOnlyLoggedDoesNotThrow) { EXPECT_NO_THROW(check_or_log(cudaErrorInvalidValue, "cudaFree")); }

TEST(Devices, AreListedAlsoWhereNoneIs) { EXPECT_NO_THROW(devices()); }

#ifdef CUZK_FAILPOINTS
class CudaFailpoint : public testing::Test {
 protected:
  ~CudaFailpoint() override { failpoint::disarm_all(); }
};

template <class Call>
void expect_lost(const char* place, const Call& call) {
  failpoint::arm(place, {.code = Code::device_lost});
  try {
    call();
    FAIL() << place;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::device_lost);
  }
}

// The failpoint stands before the call, so that no GPU is needed to see it.
TEST_F(CudaFailpoint, StandsBeforeTheCall) {
  expect_lost("cuda.malloc", [] { CudaMalloc(0).allocate(1); });
  expect_lost("cuda.pin", [] { PinnedMemory().allocate(1); });
  expect_lost("cuda.launch", [] { check_launch("kernel"); });
}
#endif

}  // namespace
}  // namespace cuzk::cuda
