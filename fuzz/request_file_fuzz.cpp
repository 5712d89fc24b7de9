/// Any bytes as a request file of the command line, for each kind that has one.
#include "common/request_file.h"
#include "fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const cuzk::u8* data, std::size_t size) {
  using namespace cuzk;
  const std::string text = fuzz::text_of({data, size});
  for (const auto kind : {engine::Kind::snap, engine::Kind::window_post, engine::Kind::winning_post})
    fuzz::expect_value_or_invalid_input([&] { apps::parse_request_file(text, kind, {}); });
  return 0;
}
