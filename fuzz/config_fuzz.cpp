/// Any bytes as the daemon's configuration, and as each of the small texts in it.
#include "fuzzing.h"
#include "server/config.h"

extern "C" int LLVMFuzzerTestOneInput(const cuzk::u8* data, std::size_t size) {
  using namespace cuzk;
  const std::string text = fuzz::text_of({data, size});
  fuzz::expect_value_or_invalid_input([&] { server::parse_config(text, "cuzk.toml"); });
  fuzz::expect_value_or_invalid_input([&] { fuzz::expect(!server::parse_addresses(text).empty()); });
  fuzz::expect_value_or_invalid_input([&] { server::parse_size(text); });
  fuzz::expect_value_or_invalid_input([&] { fuzz::expect(server::parse_duration(text).count() >= 0); });
  return 0;
}
