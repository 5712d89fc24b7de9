/// Any bytes as the file of the tokens that clients may send, and as what a client sends.
#include "fuzzing.h"
#include "scratch_file.h"
#include "server/bearer_tokens.h"

extern "C" int LLVMFuzzerTestOneInput(const cuzk::u8* data, std::size_t size) {
  using namespace cuzk;
  const fuzz::ScratchFile file({data, size});
  fuzz::expect_value_or_invalid_input([&] {
    server::BearerTokens tokens(file.path());
    fuzz::expect(tokens.reload() > 0);
    tokens.accepts(fuzz::text_of({data, size}));
    fuzz::expect(!tokens.accepts("") && !tokens.accepts("Bearer "));
  });
  return 0;
}
