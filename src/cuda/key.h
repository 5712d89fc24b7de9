/// A proving key in a device's memory.
#pragma once

#include <memory>
#include <utility>

#include "cuda/circuit.h"
#include "cuda/device_buffer.h"
#include "groth16/parameters.h"
#include "groth16/prover.h"

namespace cuzk::cuda {

/// The points of a key (groth16/parameters.h) on the device, the verifying key on the host.
class CudaKey final : public groth16::ProvingKey {
 public:
  struct Points {
    DeviceBuffer<G1Affine> h, l, a, b_g1;
    DeviceBuffer<G2Affine> b_g2;
  };

  CudaKey(groth16::VerifyingKey verifying_key, Points points)
      : verifying_key_(std::move(verifying_key)), points_(std::move(points)) {}

  const groth16::VerifyingKey& verifying_key() const override { return verifying_key_; }
  std::size_t memory() const override { return lengths().memory(); }
  groth16::KeyLengths lengths() const;

  /// The circuit that the key is for, in the device's memory: taken there at the first call and kept with the key, which
  /// fits no other. One thread at a time.
  const DeviceCircuit& circuit(const Queue& queue, const r1cs::Circuit& circuit) const;

  std::span<const G1Affine> h() const { return points_.h.span(); }
  std::span<const G1Affine> l() const { return points_.l.span(); }
  std::span<const G1Affine> a() const { return points_.a.span(); }
  std::span<const G1Affine> b_g1() const { return points_.b_g1.span(); }
  std::span<const G2Affine> b_g2() const { return points_.b_g2.span(); }

 private:
  groth16::VerifyingKey verifying_key_;
  Points points_;
  mutable std::unique_ptr<const DeviceCircuit> circuit_;
};

/// Copies all points of a key of the host; waits until they are there. Throws Error{resource_exhausted} when the
/// resource has no room.
CudaKey::Points upload_points(const groth16::Parameters& parameters, MemoryResource& memory, const Stream& stream);

}  // namespace cuzk::cuda
