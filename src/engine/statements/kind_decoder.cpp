#include "engine/statements/kind_decoder.h"

#include "engine/statements/porep_statement.h"
#include "engine/statements/post_statement.h"
#include "engine/statements/update_statement.h"

namespace cuzk::engine {

std::unique_ptr<Statement> KindDecoder::decode(const ProofInput& input, const groth16::Control& control) const {
  switch (input.kind) {
    case Kind::porep: return std::make_unique<PorepStatement>(input, circuits_, control);
    case Kind::snap: return std::make_unique<UpdateStatement>(input, circuits_, control);
    case Kind::window_post:
    case Kind::winning_post: break;
  }
  return std::make_unique<PostStatement>(input, circuits_, control);
}

}  // namespace cuzk::engine
