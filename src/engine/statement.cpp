#include "engine/statement.h"

#include "base/error.h"

namespace cuzk::engine {

bool StatementDecoder::offers(Kind kind) const {
  try {
    check_offered(kind);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace cuzk::engine
