/// Any bytes as a .params file: its counts, then all of it with every point checked.
#include <unistd.h>

#include <fstream>

#include "fuzzing.h"
#include "groth16/key_layout.h"
#include "groth16/parameters.h"

extern "C" int LLVMFuzzerTestOneInput(const cuzk::u8* data, std::size_t size) {
  using namespace cuzk;
  static const std::string path = "/dev/shm/cuzk_fuzz_" + std::to_string(::getpid()) + ".params";
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  fuzz::expect_value_or_invalid_input([&] { groth16::read_key_lengths(groth16::InputFile(path)); });
  fuzz::expect_value_or_invalid_input(
      [&] { groth16::read_parameters(path, groth16::KeyCheck::points, ThreadPool::shared(), {}); });
  ::unlink(path.c_str());
  return 0;
}
