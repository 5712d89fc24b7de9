/// Any bytes as the Phase1Out of a PoRep request; what can be read goes through the native checks.
#include "filecoin/base64.h"
#include "filecoin/c1_decoder.h"
#include "filecoin/porep_check.h"
#include "fuzzing.h"

namespace {

using namespace cuzk;

/// filecoin/base64.h writes it byte by byte, which with everything that is watched here takes longer than the decoding.
/// By pointers: what a span does is watched.
CUZK_FUZZ_UNWATCHED std::string base64(const u8* bytes, std::size_t size) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text((size + 2) / 3 * 4, '=');
  char* out = text.data();
  for (std::size_t i = 0; i < size; i += 3) {
    const std::size_t count = size - i;
    const u32 group = u32{bytes[i]} << 16 | (count > 1 ? u32{bytes[i + 1]} << 8 : 0) | (count > 2 ? bytes[i + 2] : 0);
    for (std::size_t k = 0; k < 4; ++k, ++out)
      if (k <= count) *out = kDigits[group >> (18 - 6 * k) & 63];
  }
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const cuzk::u8* data, std::size_t size) {
  fuzz::expect_value_or_invalid_input([&] {
    const auto porep =
        filecoin::decode_c1(R"({"SectorNum":2,"Phase1Out":")" + base64(data, size) + R"(","SectorSize":2048})");
    filecoin::check_porep_partition(porep, 0);
  });
  return 0;
}
