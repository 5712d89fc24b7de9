/// A request for a sector update (SnapDeals) as a statement.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/statement.h"
#include "engine/statements/circuit_catalog.h"
#include "filecoin/vanilla_update.h"

namespace cuzk::engine {

class UpdateStatement : public Statement {
 public:
  /// Reads and checks the request; keeps nothing of its bytes. Throws Error{invalid_input} naming partition and
  /// challenge.
  UpdateStatement(const ProofInput& input, CircuitCatalog& circuits, const groth16::Control& control);

  std::string circuit_id() const override;
  std::shared_ptr<const r1cs::Circuit> circuit(std::stop_token stop = {}) const override {
    return circuits_.get(circuit_id(), std::move(stop));
  }
  std::size_t partitions() const override { return request_.partitions.size(); }
  std::vector<Fr> public_inputs(std::size_t partition) const override;
  r1cs::Witness witness(std::size_t partition, std::stop_token stop = {}) const override;

 private:
  CircuitCatalog& circuits_;
  filecoin::VanillaUpdate request_;
};

}  // namespace cuzk::engine
