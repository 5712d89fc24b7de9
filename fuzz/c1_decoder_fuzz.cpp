/// Any bytes as a PoRep request, and any bytes as its Phase1Out: an error or a request, never anything else.
#include <string>

#include "base/error.h"
#include "filecoin/base64.h"
#include "filecoin/c1_decoder.h"

namespace {

void decode(const std::string& body) {
  try {
    cuzk::filecoin::decode_c1(body);
  } catch (const cuzk::Error& error) {
    if (error.code() != cuzk::Code::invalid_input) __builtin_trap();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const cuzk::u8* data, std::size_t size) {
  decode(std::string(reinterpret_cast<const char*>(data), size));
  decode(R"({"SectorNum":2,"Phase1Out":")" + cuzk::filecoin::encode_base64({data, size}) + R"(","SectorSize":2048})");
  return 0;
}
