/// The toy circuit as a statement: x^3 + x + 5 = y. It lets a whole daemon be tried out with a key of two kilobytes.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/statement.h"
#include "engine/statements/circuit_catalog.h"

namespace cuzk::engine {

class ToyStatement : public Statement {
 public:
  /// text: one x for each partition, 32-byte little-endian canonical hex, white space between. Throws
  /// Error{invalid_input} naming the partition; at most 1000 of them.
  ToyStatement(std::string_view text, CircuitCatalog& circuits);

  std::string circuit_id() const override { return "toy"; }
  std::shared_ptr<const r1cs::Circuit> circuit(std::stop_token stop = {}) const override {
    return circuits_.get("toy", std::move(stop));
  }
  std::size_t partitions() const override { return x_.size(); }
  std::vector<Fr> public_inputs(std::size_t partition) const override;
  r1cs::Witness witness(std::size_t partition, std::stop_token stop = {}) const override;

 private:
  CircuitCatalog& circuits_;
  std::vector<Fr> x_;
};

/// Takes the vanilla_proof of any request for the text of a toy.
class ToyDecoder : public StatementDecoder {
 public:
  /// The catalog must outlive the decoder and its statements.
  explicit ToyDecoder(CircuitCatalog& circuits) : circuits_(circuits) {}

  void check_offered(Kind) const override {}
  std::unique_ptr<Statement> decode(const ProofInput& input, const groth16::Control& = {}) const override {
    return std::make_unique<ToyStatement>(input.vanilla_proof, circuits_);
  }

 private:
  CircuitCatalog& circuits_;
};

}  // namespace cuzk::engine
