/// Reads points out of a key's file (.params; bytes: key_layout.h): some of a vector, checked and converted.
#pragma once

#include <span>
#include <string_view>

#include "base/progress.h"
#include "base/thread_pool.h"
#include "curve/g1.h"
#include "curve/g2.h"
#include "groth16/control.h"
#include "groth16/key_layout.h"

namespace cuzk::groth16 {

/// Where a vector's points stand in a file.
struct KeyVector {
  std::string_view name;
  u64 offset;  ///< of its first point
  std::size_t count;
};

class KeyReader {
 public:
  /// Reads the lengths only. Throws as read_key_lengths.
  explicit KeyReader(const std::filesystem::path& path);

  const InputFile& file() const { return file_; }
  const KeyLengths& lengths() const { return lengths_; }

  KeyVector h() const { return {"h", behind_count(lengths_.verifying_key_bytes()), lengths_.h}; }
  KeyVector l() const { return {"l", behind_count(end_g1(h())), lengths_.l}; }
  KeyVector a() const { return {"a", behind_count(end_g1(l())), lengths_.a}; }
  KeyVector b_g1() const { return {"b_g1", behind_count(end_g1(a())), lengths_.b_g1}; }
  KeyVector b_g2() const { return {"b_g2", behind_count(end_g1(b_g1())), lengths_.b_g2}; }

  struct How {
    KeyCheck check;
    ThreadPool& pool;
    const Control& control;
    Progress* progress;  ///< told of bytes; may be null
  };
  /// Points first, first + 1 ... of a vector; threads of the pool share the work. No point is infinity. Throws Error:
  /// invalid_input naming file, vector, index and fault; cancelled.
  template <class Affine>
  void read(const KeyVector& vector, std::size_t first, std::span<Affine> points, const How& how) const;

 private:
  static u64 behind_count(u64 offset);
  static u64 end_g1(const KeyVector& vector);

  InputFile file_;
  KeyLengths lengths_;
};

extern template void KeyReader::read(const KeyVector&, std::size_t, std::span<G1Affine>, const How&) const;
extern template void KeyReader::read(const KeyVector&, std::size_t, std::span<G2Affine>, const How&) const;

}  // namespace cuzk::groth16
