/// Any bytes as the short texts that requests and command lines are made of. What has one text only is written as it was
/// read; the fast reader of nodes agrees with the simple one.
#include <algorithm>
#include <array>
#include <cstring>

#include "base/hex.h"
#include "engine/statements/toy_statement.h"
#include "filecoin/base64.h"
#include "filecoin/byte_numbers.h"
#include "filecoin/circuit_name.h"
#include "filecoin/json_reader.h"
#include "filecoin/seal_proof.h"
#include "fuzzing.h"

namespace {

using namespace cuzk;
using namespace cuzk::filecoin;

void check_compact_node(std::string_view text) {
  std::array<u8, kCompactNodeBytes> padded{};
  std::memcpy(padded.data(), text.data(), std::min(text.size(), padded.size()));
  Node fast{}, simple{};
  const std::size_t length = compact_node(padded.data(), fast);
  fuzz::expect(length == compact_node_portable(padded.data(), simple));
  if (length != 0) fuzz::expect(fast == simple);
}

/// A value of any form, whole and in pieces of five bytes: both readers take it or neither does.
bool skips(JsonReader reader) {
  bool read = true;
  try {
    reader.skip();
    reader.finish();
  } catch (const Error& error) {
    fuzz::expect(error.code() == Code::invalid_input);
    read = false;
  }
  return read;
}

void check_json(std::string_view text) {
  const auto pieces = [rest = text](std::span<u8> into) mutable {
    const std::size_t count = std::min({rest.size(), into.size(), std::size_t{5}});
    std::memcpy(into.data(), rest.data(), count);
    rest.remove_prefix(count);
    return count;
  };
  fuzz::expect(skips(JsonReader(text, "text")) == skips(JsonReader(pieces, "pieces", text.size())));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const cuzk::u8* data, std::size_t size) {
  static engine::CircuitCatalog circuits;
  const std::string text = fuzz::text_of({data, size});
  fuzz::expect_value_or_invalid_input([&] { fuzz::expect(encode_base64(decode_base64(text)) == text); });
  fuzz::expect_value_or_invalid_input([&] { fuzz::expect(from_hex(to_hex(from_hex(text))) == from_hex(text)); });
  fuzz::expect_value_or_invalid_input([&] { CircuitName::from_id(text); });
  fuzz::expect_value_or_invalid_input([&] { fuzz::expect(SealProof::from_name(text).name() == text); });
  fuzz::expect_value_or_invalid_input([&] { engine::ToyStatement(text, circuits); });
  check_compact_node(text);
  check_json(text);
  return 0;
}
