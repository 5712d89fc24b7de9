/// Any bytes as the list of the network's key files, and as what is remembered of a file's digest.
#include <spdlog/spdlog.h>

#include <filesystem>

#include "fuzzing.h"
#include "keys/file_digest.h"
#include "scratch_file.h"

namespace {

namespace fs = std::filesystem;
using namespace cuzk;

/// A file that is its own list; what is remembered of it is the bytes, too.
void check(const fs::path& file) {
  fuzz::expect_value_or_invalid_input([&] {
    const auto digest = keys::listed_digest(file, "key.params");
    if (digest) keys::check_digest(file, *digest, *digest);
  });
  const fs::path folder = file.string() + ".digests";
  fs::create_directories(folder);
  const fs::path remembered = folder / (file.filename().string() + ".digest");
  fs::copy_file(file, remembered, fs::copy_options::overwrite_existing);
  fuzz::expect(keys::DigestMemory(folder).digest(file) ==
               keys::file_digest(file));  // no bytes hold the file's own stamp
  fs::remove_all(folder);
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  spdlog::set_level(spdlog::level::off);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const cuzk::u8* data, std::size_t size) {
  const fuzz::ScratchFile file({data, size});
  check(file.path());
  return 0;
}
