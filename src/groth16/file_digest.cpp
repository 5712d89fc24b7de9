#include "groth16/file_digest.h"

#include <algorithm>

#include "groth16/input_file.h"

namespace cuzk::groth16 {

void FileDigester::update(std::span<const u8> bytes, ThreadPool& pool) {
  size_ += bytes.size();
  pool.invoke([&] { sha256_.update(bytes); }, [&] { blake2b_.update(bytes); });
}

FileDigest FileDigester::finish() {
  FileDigest digest{.size = size_, .sha256 = sha256_.finish(), .blake2b = {}};
  const auto blake2b = blake2b_.finish();
  std::copy_n(blake2b.begin(), digest.blake2b.size(), digest.blake2b.begin());
  return digest;
}

FileDigest digest_file(const std::filesystem::path& path, ThreadPool& pool, const Control& control) {
  constexpr u64 kPiece = u64{1} << 22;
  const InputFile file(path);
  Progress progress(control.on_progress, fmt::format("digest of {}", file.name()), file.size());
  FileDigester digester;
  std::vector<u8> piece(std::min(kPiece, file.size()));
  for (u64 offset = 0; offset < file.size(); offset += piece.size()) {
    control.check("digest");
    piece.resize(std::min(kPiece, file.size() - offset));
    file.read_at(offset, piece);
    digester.update(piece, pool);
    progress.advance(piece.size());
  }
  return digester.finish();
}

}  // namespace cuzk::groth16
