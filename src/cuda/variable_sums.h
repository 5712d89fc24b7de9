/// The sums of a proof over its variables, on a device: all but that over the quotient's coefficients.
#pragma once

#include <optional>
#include <span>

#include "cuda/circuit.h"
#include "cuda/key.h"
#include "cuda/proof_part.h"
#include "cuda/query_sums.h"
#include "cuda/queue.h"
#include "cuda/tile_room.h"
#include "cuda/witness.h"
#include "groth16/control.h"
#include "groth16/proof_sums.h"

namespace cuzk::cuda {

/// Parts that need nothing of each other: several queues and threads may add one each at a time.
class VariableSums {
 public:
  static constexpr unsigned kParts = 4;

  /// Refers to all of them.
  VariableSums(const CudaKey& key, const DeviceCircuit& circuit, const DeviceWitness& witness,
               const groth16::Control& control)
      : key_(key), circuit_(circuit), witness_(witness), control_(control) {}

  /// What one part takes at most, in bytes. For each bit its place, a sum and a product, in G2; for the field elements
  /// a product with all windows at once, as msm_tuning() has it, up to 2^27 digits.
  static std::size_t memory_of_part(const DeviceProperties& device, std::size_t variables, std::size_t elements);

  // Both wait for the device. Spans: "msm_l", "msm_a", "msm_b_g1" and "msm_b_g2".
  /// One of kParts, the longest first. The room is that of the queue's memory.
  void add(unsigned part, const Queue& queue, const TileRoom& room);
  void add_all(const Queue& queue, const TileRoom& room);

  /// add_all of several proofs whose key is streamed, each tile of which serves them all. An entry without sums belongs to
  /// a part that has failed. Throws where no tile can be had.
  static void add_all_together(const Queue& queue, const TileRoom& room, std::span<ProofPart> parts,
                               std::span<std::optional<VariableSums>> sums, const CudaKey& key);

  /// With those parts that were added; h is left out, and the inputs' sums are in those of the auxiliary variables.
  const groth16::ProofSums& sums() const { return sums_; }

 private:
  void add_l(const Queue& queue, const TileRoom& room);
  void add_a(const Queue& queue, const TileRoom& room);
  void add_b_g1(const Queue& queue, const TileRoom& room, const QueryValues& b);
  void add_b_g2(const Queue& queue, const TileRoom& room, const QueryValues& b);
  template <class Curve, class Values>
  static void add_together(const Queue& queue, const Tiling& tiling, const KeyPoints<Curve>& points,
                           std::span<ProofPart> parts, std::span<std::optional<VariableSums>> sums,
                           Point<Curve> groth16::ProofSums::*sum, const Values& values_of);
  Span span(std::string_view name) const;

  const CudaKey& key_;
  const DeviceCircuit& circuit_;
  const DeviceWitness& witness_;
  const groth16::Control& control_;
  groth16::ProofSums sums_{.h = G1::infinity(),
                           .l = G1::infinity(),
                           .a_inputs = G1::infinity(),
                           .a_aux = G1::infinity(),
                           .b_g1_inputs = G1::infinity(),
                           .b_g1_aux = G1::infinity(),
                           .b_g2_inputs = G2::infinity(),
                           .b_g2_aux = G2::infinity()};
};

}  // namespace cuzk::cuda
