/// Any bytes as a .params file: its counts, then all of it with every point checked.
#include "fuzzing.h"
#include "groth16/key_layout.h"
#include "groth16/parameters.h"
#include "one_thread.h"
#include "scratch_file.h"

extern "C" int LLVMFuzzerTestOneInput(const cuzk::u8* data, std::size_t size) {
  using namespace cuzk;
  const fuzz::ScratchFile file({data, size});
  fuzz::expect_value_or_invalid_input([&] { groth16::read_key_lengths(groth16::InputFile(file.path())); });
  fuzz::expect_value_or_invalid_input([&] {
    const auto key = groth16::read_parameters(file.path(), groth16::KeyCheck::points, fuzz::one_thread(), {});
    fuzz::expect(key.lengths().file_bytes() == size);
  });
  return 0;
}
