/// A PoRep request as a statement: its partitions, each with the circuit's input and what the verifier derives from it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/statement.h"
#include "engine/statements/circuit_catalog.h"
#include "filecoin/vanilla_porep.h"

namespace cuzk::engine {

class PorepStatement : public Statement {
 public:
  /// Reads and checks the request; keeps nothing of its bytes. Throws Error{invalid_input} naming field, partition and
  /// challenge.
  PorepStatement(const ProofInput& input, CircuitCatalog& circuits, const groth16::Control& control);

  std::string circuit_id() const override;
  std::shared_ptr<const r1cs::Circuit> circuit(std::stop_token stop = {}) const override {
    return circuits_.get(circuit_id(), std::move(stop));
  }
  std::size_t partitions() const override { return request_.partitions.size(); }
  std::vector<Fr> public_inputs(std::size_t partition) const override;
  r1cs::Witness witness(std::size_t partition, std::stop_token stop = {}) const override;

 private:
  CircuitCatalog& circuits_;
  filecoin::VanillaPorep request_;
};

}  // namespace cuzk::engine
