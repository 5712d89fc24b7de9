// The field headers are one source for host and device: the same expressions give the same bytes on both.
#include <cuda_runtime.h>

#include <iostream>
#include <span>
#include <vector>

#include "field/fp.h"
#include "field/fr.h"

namespace cuzk {
namespace {

constexpr int kSkipped = 77;
constexpr std::size_t kCount = 1024;

/// A chain that uses every operation of a field.
template <class Field>
CUZK_HD Field chain(u64 seed) {
  const Field x = Field::from_u64(seed), y = -Field::from_u64(seed * seed + 1);
  return (x * y + x.squared() - y.doubled()) * (x + Field::one()).inverse();
}

template <class Field>
__global__ void evaluate_chains(Field* results, std::size_t count) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < count) results[i] = chain<Field>(i);
}

/// One array on the device; an error of CUDA ends the program with its name.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t size) : size_(size) { check(cudaMalloc(&data_, size * sizeof(T))); }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* data() { return data_; }
  std::vector<T> to_host() const {
    std::vector<T> host(size_);
    check(cudaMemcpy(host.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
  }

 private:
  static void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::cerr << "CUDA: " << cudaGetErrorString(error) << '\n';
    std::exit(1);
  }

  T* data_ = nullptr;
  std::size_t size_;
};

template <class Field>
bool device_agrees_with_host(const char* name) {
  DeviceArray<Field> results(kCount);
  evaluate_chains<<<(kCount + 127) / 128, 128>>>(results.data(), kCount);
  const auto from_device = results.to_host();
  for (std::size_t i = 0; i < kCount; ++i) {
    if (from_device[i] == chain<Field>(i)) continue;
    std::cerr << name << ": the device differs from the host for seed " << i << '\n';
    return false;
  }
  std::cout << name << ": device and host agree on " << kCount << " values\n";
  return true;
}

int run() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::cout << "skipped: no GPU\n";
    return kSkipped;
  }
  return device_agrees_with_host<Fr>("Fr") && device_agrees_with_host<Fp>("Fp") ? 0 : 1;
}

}  // namespace
}  // namespace cuzk

int main() { return cuzk::run(); }
