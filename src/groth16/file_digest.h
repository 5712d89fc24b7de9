/// What identifies a key file: its size, SHA-256, and the digest that Filecoin's parameters.json uses.
#pragma once

#include <array>
#include <filesystem>
#include <span>

#include "base/thread_pool.h"
#include "groth16/control.h"
#include "hash/blake2b.h"
#include "hash/sha256.h"

namespace cuzk::groth16 {

struct FileDigest {
  u64 size = 0;
  Digest sha256;
  std::array<u8, 16> blake2b;  ///< the first 16 bytes of BLAKE2b-512

  friend bool operator==(const FileDigest&, const FileDigest&) = default;
};

/// Takes the bytes piece by piece.
class FileDigester {
 public:
  /// The two functions run side by side.
  void update(std::span<const u8> bytes, ThreadPool& pool);

  /// No update may follow.
  FileDigest finish();

 private:
  u64 size_ = 0;
  Sha256 sha256_;
  Blake2b blake2b_;
};

/// Reads a whole file, in pieces. Throws Error: not_found, invalid_input, cancelled.
FileDigest digest_file(const std::filesystem::path& path, ThreadPool& pool, const Control& control);

}  // namespace cuzk::groth16
