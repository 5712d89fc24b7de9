/// A proving key in a device's memory.
#pragma once

#include <memory>
#include <utility>

#include "cuda/circuit.h"
#include "cuda/key_points.h"
#include "groth16/parameters.h"
#include "groth16/prover.h"

namespace cuzk::cuda {

/// The points of a key (groth16/parameters.h) on the device, or in pinned memory of the host to be streamed; the verifying
/// key on the host.
class CudaKey final : public groth16::ProvingKey {
 public:
  struct Points {
    KeyPoints<G1Curve> h, l, a, b_g1;
    KeyPoints<G2Curve> b_g2;
  };

  CudaKey(groth16::VerifyingKey verifying_key, Points points)
      : verifying_key_(std::move(verifying_key)), points_(std::move(points)) {}

  const groth16::VerifyingKey& verifying_key() const override { return verifying_key_; }
  std::size_t memory() const override { return is_resident() ? lengths().memory() : 0; }
  bool is_resident() const { return points_.h.is_resident(); }
  groth16::KeyLengths lengths() const;

  /// The circuit that the key is for, in the device's memory: taken there at the first call and kept with the key, which
  /// fits no other. One thread at a time.
  const DeviceCircuit& circuit(const Queue& queue, const r1cs::Circuit& circuit) const;

  const KeyPoints<G1Curve>& h() const { return points_.h; }
  const KeyPoints<G1Curve>& l() const { return points_.l; }
  const KeyPoints<G1Curve>& a() const { return points_.a; }
  const KeyPoints<G1Curve>& b_g1() const { return points_.b_g1; }
  const KeyPoints<G2Curve>& b_g2() const { return points_.b_g2; }

 private:
  groth16::VerifyingKey verifying_key_;
  Points points_;
  mutable std::unique_ptr<const DeviceCircuit> circuit_;
};

/// Takes over the host's points and pins them. Throws Error{resource_exhausted}.
CudaKey::Points pinned_points(groth16::Parameters parameters);

}  // namespace cuzk::cuda
