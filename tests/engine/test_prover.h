/// A prover and a decoder for the engine's tests: no key, no circuit, and times that the test sets. Their proofs are
/// the valid ones of the vectors' toy circuit, so that the engine's verification is the real one.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/hex.h"
#include "engine/statement.h"
#include "groth16/prover.h"
#include "r1cs/compiler.h"
#include "support/vectors.h"

namespace cuzk::engine {

using namespace std::chrono_literals;

/// The toy circuit's statements of the vectors, with their proofs.
struct ToyVector {
  Fr input;
  std::vector<u8> proof;
};

inline std::vector<ToyVector> toy_vectors() {
  std::vector<ToyVector> result;
  for (const auto& partition : nlohmann::json(test::vector_json("proofs/toy.json")["partitions"])) {
    const auto input = from_hex(partition["public_inputs"][0].get<std::string>());
    result.push_back({Fr::from_bytes(std::span(input).first<32>()).value(),
                      from_hex(partition["proofs"][0]["proof"].get<std::string>())});
  }
  return result;
}

class ToyKey : public groth16::ProvingKey {
 public:
  ToyKey()
      : key_(groth16::VerifyingKey::from_bytes(
            from_hex(test::vector_json("setup/toy.json")["vk"]["bytes"].get<std::string>()), "setup/toy.json")) {}
  const groth16::VerifyingKey& verifying_key() const override { return key_; }
  std::size_t memory() const override { return 4096; }

 private:
  groth16::VerifyingKey key_;
};

/// Sleeps in small steps, so that a stop is seen soon.
inline void pause(std::chrono::milliseconds time, const std::stop_token& stop) {
  const auto end = Clock::now() + time;
  while (Clock::now() < end) {
    if (stop.stop_requested()) throw Error(Code::cancelled, "test: stopped");
    std::this_thread::sleep_for(1ms);
  }
}

class TestProver : public groth16::Prover {
 public:
  std::string name = "test";
  std::chrono::milliseconds load_time = 0ms, prove_time = 0ms;
  std::atomic<std::size_t> proof_bytes = 0, key_bytes = 4096;
  std::optional<groth16::DeviceMemory> device_memory;
  std::vector<groth16::MemoryRegion> regions;
  std::function<void()> on_load = [] {};                                                   ///< may throw
  std::function<void(const groth16::Control&)> on_prove = [](const groth16::Control&) {};  ///< may throw
  std::function<void(std::size_t)> on_together = [](std::size_t) {};  ///< how many are made in one call
  u32 together = 1;
  std::atomic<int> proofs = 0;
  std::atomic<int> wrong_proofs = 0;  ///< of those that come next so many are another statement's

  u32 proofs_together(const r1cs::Circuit&) const override { return together; }
  std::vector<groth16::ProofOrError> prove_together(const groth16::ProvingKey& key, const r1cs::Circuit& circuit,
                                                    std::span<const groth16::ProofOfMany> many) override {
    on_together(many.size());
    return Prover::prove_together(key, circuit, many);
  }

  groth16::Device device() const override { return {name, "of the tests"}; }
  std::optional<groth16::DeviceMemory> memory() const override { return device_memory; }
  std::vector<groth16::MemoryRegion> memory_regions() const override { return regions; }
  std::size_t key_memory(const std::filesystem::path&) const override { return key_bytes; }
  std::size_t proof_memory(const r1cs::Circuit&) const override { return proof_bytes; }

  std::shared_ptr<const groth16::ProvingKey> load_key(const std::filesystem::path&, groth16::KeyCheck,
                                                      const groth16::Control& control) override {
    pause(load_time, control.stop);
    on_load();
    return std::make_shared<ToyKey>();
  }

  groth16::Proof prove(const groth16::Statement& statement, const groth16::Blinding&,
                       const groth16::Control& control) override {
    pause(prove_time, control.stop);
    on_prove(control);
    ++proofs;
    for (std::size_t i = 0; i < vectors_.size(); ++i) {
      if (statement.witness.inputs()[1] != vectors_[i].input) continue;
      const bool is_wrong = wrong_proofs > 0 && wrong_proofs-- > 0;
      return groth16::Proof::from_bytes(vectors_[is_wrong ? (i + 1) % vectors_.size() : i].proof);
    }
    throw internal_error("test: no vector has this input");
  }

 private:
  std::vector<ToyVector> vectors_ = toy_vectors();
};

/// A statement of some partitions; the i-th is the i-th toy vector. Each kind has a circuit of its own.
class TestStatement : public Statement {
 public:
  using Begun = std::function<void()>;

  TestStatement(Kind kind, std::size_t partitions, std::chrono::milliseconds witness_time, Begun begun)
      : kind_(kind), partitions_(partitions), witness_time_(witness_time), begun_(std::move(begun)) {}

  std::string circuit_id() const override { return kind_ == Kind::porep ? "toy" : std::string(name(kind_)); }
  /// One public input, of which nothing is asked.
  std::shared_ptr<const r1cs::Circuit> circuit(std::stop_token = {}) const override {
    r1cs::Compiler compiler;
    compiler.alloc_input();
    return std::make_shared<const r1cs::Circuit>(std::move(compiler).finish());
  }
  std::size_t partitions() const override { return partitions_; }
  std::vector<Fr> public_inputs(std::size_t partition) const override { return {vectors_.at(partition).input}; }

  r1cs::Witness witness(std::size_t partition, std::stop_token stop) const override {
    begun_();
    pause(witness_time_, stop);
    r1cs::Witness witness;
    witness.add_input(vectors_.at(partition).input);
    return witness;
  }

 private:
  std::vector<ToyVector> vectors_ = toy_vectors();
  Kind kind_;
  std::size_t partitions_;
  std::chrono::milliseconds witness_time_;
  Begun begun_;
};

/// Takes the text of vanilla_proof for the number of partitions; the texts "error" and "exception" are thrown, "endless"
/// is one partition whose witness comes to no end.
/// SnapDeals is not offered.
class TestDecoder : public StatementDecoder {
 public:
  std::chrono::milliseconds witness_time = 0ms;
  std::function<void(const groth16::Control&)> on_decode = [](const groth16::Control&) {};  ///< may throw
  mutable std::atomic<std::size_t> witnesses = 0;  ///< begun so far, over all jobs

  void check_offered(Kind kind) const override {
    if (kind == Kind::snap) throw invalid_input("proofs of kind {} are not offered", name(kind));
  }

  std::unique_ptr<Statement> decode(const ProofInput& input, const groth16::Control& control = {}) const override {
    on_decode(control);
    if (input.vanilla_proof == "error") throw invalid_input("field comm_r has 31 bytes, expected 32");
    if (input.vanilla_proof == "exception") throw std::runtime_error("something else");
    if (input.vanilla_proof == "number") throw 5;  // NOLINT: no std::exception, on purpose
    const auto begun = [this, label = input.vanilla_proof + "/" + std::to_string(input.sector_number)] {
      const std::lock_guard lock(mutex_);
      ++witnesses;
      begun_.push_back(label);
    };
    if (input.vanilla_proof == "endless")
      return std::make_unique<TestStatement>(input.kind, 1, std::chrono::hours(1), begun);
    return std::make_unique<TestStatement>(input.kind, std::stoul(input.vanilla_proof), witness_time, begun);
  }

  /// "vanilla_proof/sector_number" of each partition's job, in the order in which their witnesses were begun.
  std::vector<std::string> begun() const {
    const std::lock_guard lock(mutex_);
    return begun_;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::vector<std::string> begun_;
};

}  // namespace cuzk::engine
