#include "cuda/key.h"

#include "base/ablation.h"
#include "cuda/memory_use.h"

namespace cuzk::cuda {
namespace {

u32 length(std::size_t size) { return static_cast<u32>(size); }

}  // namespace

groth16::KeyLengths CudaKey::lengths() const {
  return {.ic = length(verifying_key_.ic.size()),
          .h = length(h().size()),
          .l = length(l().size()),
          .a = length(a().size()),
          .b_g1 = length(b_g1().size()),
          .b_g2 = length(b_g2().size())};
}

const DeviceCircuit& CudaKey::circuit(const Queue& queue, const r1cs::Circuit& circuit) const {
  const MemoryUseScope use(MemoryUse::key);
  if (circuit_ == nullptr || is_left_out(Optimization::kept_tables))
    circuit_ = std::make_unique<const DeviceCircuit>(queue, circuit);
  return *circuit_;
}

CudaKey::Points pinned_points(groth16::Parameters parameters) {
  return {.h = std::move(parameters.h),
          .l = std::move(parameters.l),
          .a = std::move(parameters.a),
          .b_g1 = std::move(parameters.b_g1),
          .b_g2 = std::move(parameters.b_g2)};
}

}  // namespace cuzk::cuda
