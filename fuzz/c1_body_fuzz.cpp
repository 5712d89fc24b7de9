/// Any bytes as the body of a PoRep request. What its Phase1Out decodes to is the business of c1_phase1_fuzz.cpp.
#include "filecoin/c1_decoder.h"
#include "filecoin/porep_check.h"
#include "fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const cuzk::u8* data, std::size_t size) {
  using namespace cuzk;
  fuzz::expect_value_or_invalid_input([&] {
    const auto porep = filecoin::decode_c1(fuzz::text_of({data, size}));
    filecoin::check_porep_partition(porep, 0);
  });
  return 0;
}
