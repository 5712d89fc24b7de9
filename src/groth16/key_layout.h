/// How many points a proving key has and where they stand in its file (.params).
///
/// Bytes: those of the verifying key (verifying_key.h), then five vectors, each a big-endian u32 count and its
/// uncompressed points: h, l, a, b_g1 (96 bytes each), b_g2 (192). Nothing between them, nothing after.
#pragma once

#include <filesystem>

#include "base/types.h"
#include "groth16/input_file.h"
#include "r1cs/circuit.h"

namespace cuzk::groth16 {

/// Numbers of points. For a circuit with a domain of m: ic one for each input, h m - 1, l one for each auxiliary
/// variable; a, b_g1 and b_g2 only for variables that occur in A or B: inputs first, then auxiliary ones.
struct KeyLengths {
  u32 ic = 0, h = 0, l = 0, a = 0, b_g1 = 0, b_g2 = 0;

  u64 file_bytes() const;           ///< of the .params file
  u64 verifying_key_bytes() const;  ///< at its beginning; behind them the count of h
  u64 memory() const;               ///< of the points as affine points in memory

  friend bool operator==(const KeyLengths&, const KeyLengths&) = default;
};

/// Of the key that belongs to a circuit.
KeyLengths key_lengths(const r1cs::Circuit& circuit);

/// Reads the counts only: six small reads. Each count is checked against the size of the file before anything is
/// taken for it; the vectors must end where the file ends. Throws Error{invalid_input} naming the file and the vector.
KeyLengths read_key_lengths(const InputFile& file);

}  // namespace cuzk::groth16
