#include "cuda/error.h"

#include <spdlog/spdlog.h>

#include "base/failpoint.h"

namespace cuzk::cuda {
namespace {

/// cudaErrorContained, which toolkits before 13 do not name.
constexpr auto kContained = static_cast<cudaError_t>(226);

Error error_of(cudaError_t status, std::string_view call) {
  return Error(code_of(status), fmt::format("{}: {} ({})", call, cudaGetErrorName(status), cudaGetErrorString(status)));
}

}  // namespace

Code code_of(cudaError_t status) {
  switch (status) {
    case cudaErrorMemoryAllocation: return Code::resource_exhausted;
    case cudaErrorDevicesUnavailable:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case kContained:
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorContextIsDestroyed:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
    case cudaErrorMpsRpcFailure:
    case cudaErrorMpsClientTerminated:
    case cudaErrorExternalDevice:
    case cudaErrorUnknown: return Code::device_lost;
    default: return Code::internal;
  }
}

void check(cudaError_t status, std::string_view call) {
  if (status == cudaSuccess) return;
  cudaGetLastError();
  throw error_of(status, call);
}

void check_or_log(cudaError_t status, std::string_view call) noexcept {
  if (status == cudaSuccess) return;
  cudaGetLastError();
  spdlog::warn("{}: {} ({})", call, cudaGetErrorName(status), cudaGetErrorString(status));
}

void check_launch(std::string_view kernel) {
  CUZK_FAILPOINT("cuda.launch");
  check(cudaGetLastError(), kernel);
}

}  // namespace cuzk::cuda
