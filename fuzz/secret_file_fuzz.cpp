/// Any bytes as the JSON files of scalars: toxic waste, and the known r and s of a test daemon.
#include "commands/server_fixed_blinding.h"
#include "common/toxic_waste.h"
#include "fuzzing.h"
#include "scratch_file.h"

extern "C" int LLVMFuzzerTestOneInput(const cuzk::u8* data, std::size_t size) {
  using namespace cuzk;
  const fuzz::ScratchFile file({data, size});
  fuzz::expect_value_or_invalid_input([&] { apps::read_toxic_waste(file.path()); });
  fuzz::expect_value_or_invalid_input([&] { apps::with_fixed_blinding({file.path()}, nullptr); });
  return 0;
}
