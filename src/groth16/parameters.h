/// A whole proving key in host memory, and the reading of its file (.params; bytes: key_layout.h).
#pragma once

#include <filesystem>

#include "base/buffer.h"
#include "base/thread_pool.h"
#include "groth16/control.h"
#include "groth16/key_layout.h"
#include "groth16/verifying_key.h"

namespace cuzk::groth16 {

/// Points are affine, their coordinates in Montgomery form: what multi-scalar multiplication takes. None is infinity.
struct Parameters {
  VerifyingKey verifying_key;
  Buffer<G1Affine> h;     ///< tau^i (tau^m - 1) / delta, i < m - 1
  Buffer<G1Affine> l;     ///< (beta a_i + alpha b_i + c_i) / delta, each auxiliary variable
  Buffer<G1Affine> a;     ///< a_i, each input, then each auxiliary variable of A
  Buffer<G1Affine> b_g1;  ///< b_i, each input of B, then each auxiliary variable of B
  Buffer<G2Affine> b_g2;  ///< the same in G2

  KeyLengths lengths() const;
};

/// Of a .params file whose lengths have been read. Throws Error{invalid_input}.
VerifyingKey read_verifying_key(const InputFile& file, const KeyLengths& lengths);

/// Reads a .params file. Lengths are checked first, then memory is taken, one buffer for each vector; then every point
/// is checked as `check` says. Threads of the pool share the work; what is resident beside the key stays below a MiB a
/// thread. Reports progress in bytes. Throws Error: not_found, invalid_input naming file, vector, index and fault,
/// resource_exhausted, cancelled.
Parameters read_parameters(const std::filesystem::path& path, KeyCheck check, ThreadPool& pool, const Control& control);

}  // namespace cuzk::groth16
