/// Any bytes as a PoRep request, and any bytes as its Phase1Out; what can be read goes through the native checks.
#include "filecoin/base64.h"
#include "filecoin/c1_decoder.h"
#include "filecoin/porep_check.h"
#include "fuzzing.h"

namespace {

using namespace cuzk;

void decode(const std::string& body) {
  fuzz::expect_value_or_invalid_input([&] {
    const auto porep = filecoin::decode_c1(body);
    filecoin::check_porep_partition(porep, 0);
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const cuzk::u8* data, std::size_t size) {
  decode(cuzk::fuzz::text_of({data, size}));
  decode(R"({"SectorNum":2,"Phase1Out":")" + cuzk::filecoin::encode_base64({data, size}) + R"(","SectorSize":2048})");
  return 0;
}
