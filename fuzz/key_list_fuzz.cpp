/// Any bytes as the list of the network's key files, or, when they do not begin as JSON does, as what is remembered of a
/// file's digest.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "fuzzing.h"
#include "keys/file_digest.h"
#include "scratch_file.h"

namespace {

namespace fs = std::filesystem;
using namespace cuzk;

/// Goes at the process's end.
struct Folder {
  fs::path path = "/dev/shm/cuzk_fuzz_digests_" + std::to_string(::getpid());
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
};

/// A file that is its own list.
void check_list(const fs::path& file) {
  fuzz::expect_value_or_invalid_input([&] {
    const auto digest = keys::listed_digest(file, "key.params");
    if (digest) keys::check_digest(file, *digest, *digest);
  });
}

/// No bytes hold the file's own stamp, so that whatever is remembered its digest is its own.
void check_remembered(const fs::path& file, const std::string& text) {
  static const Folder folder;
  const fs::path remembered = folder.path / (file.filename().string() + ".digest");
  std::ofstream(remembered, std::ios::binary) << text;
  fuzz::expect(keys::DigestMemory(folder.path).digest(file) == keys::file_digest(file));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const cuzk::u8* data, std::size_t size) {
  const fuzz::ScratchFile file({data, size});
  if (size != 0 && data[0] == '{') {
    check_list(file.path());
  } else {
    check_remembered(file.path(), fuzz::text_of({data, size}));
  }
  return 0;
}
