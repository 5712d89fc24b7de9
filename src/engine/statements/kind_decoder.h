/// Turns requests of each kind of proof into statements.
#pragma once

#include <memory>

#include "engine/statement.h"
#include "engine/statements/circuit_catalog.h"

namespace cuzk::engine {

class KindDecoder : public StatementDecoder {
 public:
  /// The catalog must outlive the decoder and its statements.
  explicit KindDecoder(CircuitCatalog& circuits) : circuits_(circuits) {}

  void check_offered(Kind) const override {}
  std::vector<CircuitStatus> circuits() const override { return circuits_.status(); }
  std::unique_ptr<Statement> decode(const ProofInput& input, const groth16::Control& control = {}) const override;

 private:
  CircuitCatalog& circuits_;
};

}  // namespace cuzk::engine
