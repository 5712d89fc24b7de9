#include "engine/statements/kind_decoder.h"

#include "base/error.h"
#include "engine/statements/porep_statement.h"

namespace cuzk::engine {

void KindDecoder::check_offered(Kind kind) const {
  if (kind != Kind::porep) throw invalid_input("proofs of kind {} are not offered by this version", name(kind));
}

std::unique_ptr<Statement> KindDecoder::decode(const ProofInput& input) const {
  check_offered(input.kind);
  return std::make_unique<PorepStatement>(input, circuits_);
}

}  // namespace cuzk::engine
