/// Writes a .params file from start to end, so that a key larger than memory can be made.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "base/thread_pool.h"
#include "groth16/control.h"
#include "groth16/file_digest.h"
#include "groth16/key_layout.h"
#include "groth16/output_file.h"
#include "groth16/verifying_key.h"

namespace cuzk::groth16 {

/// Calls in this order: the constructor; for h, l, a, b_g1, b_g2 each append until all its points are there; finish.
class ParameterWriter {
 public:
  /// `lengths` fixes the counts; the key's ic must have lengths.ic points. Throws as OutputFile.
  ParameterWriter(const std::filesystem::path& path, const VerifyingKey& key, const KeyLengths& lengths,
                  ThreadPool& pool, const Control& control);

  /// The next points of the vector that is being written; none may reach over its end and none is infinity, which is
  /// Error{internal}. Throws Error{resource_exhausted} when the disk is full, cancelled.
  void append(std::span<const G1Affine> points);
  void append(std::span<const G2Affine> points);

  /// Gives the file its name and says what it is. Error{internal} when points are missing.
  FileDigest finish();

 private:
  template <class Affine>
  void append_points(std::span<const Affine> points);
  void begin_vectors();
  void write(std::span<const u8> bytes);

  OutputFile file_;
  KeyLengths lengths_;
  ThreadPool& pool_;
  const Control& control_;
  Progress progress_;
  FileDigester digester_;
  unsigned vector_ = 0;  ///< which of the five is being written
  u32 missing_ = 0;      ///< its points that are still to come
};

}  // namespace cuzk::groth16
