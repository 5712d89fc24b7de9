#include "partition_lanes.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <future>

#include "base/error.h"
#include "common/fresh_key.h"
#include "engine/statements/circuit_catalog.h"

namespace cuzk::apps {

std::shared_ptr<const groth16::ProvingKey> key_of(const engine::Statement& statement, KeySource source,
                                                  const std::string& keys, groth16::Prover& prover,
                                                  const groth16::Control& control) {
  if (source == KeySource::fresh) return make_fresh_key(prover, *statement.circuit(), ThreadPool::shared(), control);
  const auto names = engine::key_file_names(statement.circuit_id());
  return prover.load_key(std::filesystem::path(keys) / names.params, groth16::KeyCheck::points, control);
}

void PartitionLanes::prove() {
  std::vector<std::future<void>> lanes;
  Span whole(&trace_, "partition");
  for (unsigned i = 0; i < lanes_; ++i) lanes.push_back(std::async(std::launch::async, [this] { run_lane(); }));
  for (auto& lane : lanes) lane.wait();
  whole.end();
  for (auto& lane : lanes) lane.get();
  if (!groth16::Verifier(key_.verifying_key()).verify_batch(claims_))
    throw internal_error("the proofs do not verify together");
}

void PartitionLanes::run_lane() {
  const std::size_t together = std::max<u32>(1, prover_.proofs_together(*statement_.circuit()));
  for (std::size_t k = next_ += together; k < claims_.size() + together; k = next_ += together) {
    const std::size_t first = k - together, count = std::min(together, claims_.size() - first);
    count == 1 ? prove_one(first) : prove_several(first, count);
  }
}

void PartitionLanes::prove_several(std::size_t first, std::size_t count) {
  std::vector<r1cs::Witness> witnesses;
  std::vector<groth16::ProofOfMany> proofs;
  witnesses.reserve(count);
  for (std::size_t k = first; k < first + count; ++k) {
    const Span witnessing(&trace_, "witness", static_cast<u32>(k));
    witnesses.push_back(statement_.witness(k));
    proofs.push_back({witnesses.back(), groth16::Blinding::fresh, {.trace = &trace_, .item = static_cast<u32>(k)}});
  }
  const auto made = groth16::prove_verified_together(prover_, key_, *statement_.circuit(), proofs);
  for (std::size_t i = 0; i < count; ++i) {
    if (const auto* failure = std::get_if<std::exception_ptr>(&made[i])) std::rethrow_exception(*failure);
    claims_[first + i] = {std::get<groth16::Proof>(made[i]), statement_.public_inputs(first + i)};
  }
}

void PartitionLanes::prove_one(std::size_t k) {
  Span witnessing(&trace_, "witness", static_cast<u32>(k));
  const r1cs::Witness witness = statement_.witness(k);
  witnessing.end();
  const groth16::Control control{.trace = &trace_, .item = static_cast<u32>(k)};
  const auto made = groth16::prove_verified(prover_, {key_, *statement_.circuit(), witness}, control);
  claims_[k] = {made.proof, statement_.public_inputs(k)};
}

std::string lane_of(const SpanRecord& span, const groth16::Prover& prover) {
  static constexpr std::array kHost{"partition", "witness", "verify", "decode", "checks", "request"};
  const bool is_host = prover.device().name == "cpu" || std::ranges::find(kHost, span.name) != kHost.end();
  return is_host ? fmt::format("host {}", span.thread) : "device";
}

}  // namespace cuzk::apps
