/// Any bytes as what the journal keeps: a job's input, the stages of its timings. What is read is written as the same bytes.
#include <algorithm>
#include <vector>

#include "engine/journal/record_codec.h"
#include "fuzzing.h"

namespace {

using namespace cuzk;

std::vector<u8> joined(const engine::EncodedInput& input) {
  std::vector<u8> bytes;
  for (const auto& piece : input.pieces) bytes.insert(bytes.end(), piece.begin(), piece.end());
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const cuzk::u8* data, std::size_t size) {
  const std::span bytes(data, size);
  fuzz::expect_value_or_invalid_input([&] {
    const auto input = engine::decode_input(engine::Kind::snap, bytes, "input");
    const auto encoded = engine::encode_input(input);
    fuzz::expect(encoded.bytes == size && std::ranges::equal(joined(encoded), bytes));
  });
  fuzz::expect_value_or_invalid_input(
      [&] { fuzz::expect(std::ranges::equal(engine::encode_stages(engine::decode_stages(bytes, "stages")), bytes)); });
  return 0;
}
