/// Any bytes as a file of a circuit's checkpoints.
#include "common/checkpoint_file.h"
#include "fuzzing.h"
#include "scratch_file.h"

extern "C" int LLVMFuzzerTestOneInput(const cuzk::u8* data, std::size_t size) {
  using namespace cuzk;
  const fuzz::ScratchFile file({data, size});
  fuzz::expect_value_or_invalid_input([&] { fuzz::expect(apps::read_checkpoints(file.path()).every > 0); });
  return 0;
}
