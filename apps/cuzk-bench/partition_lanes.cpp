#include "partition_lanes.h"

#include <future>

#include "base/error.h"
#include "common/output.h"

namespace cuzk::apps {

void PartitionLanes::prove() {
  const auto lane = [this] { return std::async(std::launch::async, [this] { run_lane(); }); };
  Span whole(&trace_, "partition");
  std::future<void> first = lane(), second = lane();
  first.wait();
  second.wait();
  whole.end();
  first.get();
  second.get();
  if (!groth16::Verifier(key_.verifying_key()).verify_batch(claims_))
    throw internal_error("the proofs do not verify together");
}

void PartitionLanes::run_lane() {
  for (std::size_t k = next_++; k < claims_.size(); k = next_++) prove_one(k);
}

void PartitionLanes::prove_one(std::size_t k) {
  Span witnessing(&trace_, "witness", static_cast<u32>(k));
  const r1cs::Witness witness = statement_.witness(k);
  witnessing.end();
  const groth16::Control control{.trace = &trace_, .item = static_cast<u32>(k)};
  const auto made = groth16::prove_verified(prover_, {key_, *statement_.circuit(), witness}, control);
  claims_[k] = {made.proof, statement_.public_inputs(k)};
  note(fmt::format("partition {} of {} made and verified", k + 1, claims_.size()));
}

}  // namespace cuzk::apps
