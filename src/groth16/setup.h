/// The making of a key for a circuit.
///
/// Whoever knows the five scalars can prove anything, so such keys are for development and tests, never for the
/// network, whose keys come from a ceremony. Formulas: Groth 2016, section 3.2; the layout is that of key_layout.h.
#pragma once

#include <filesystem>

#include "base/thread_pool.h"
#include "field/fr.h"
#include "groth16/control.h"
#include "groth16/file_digest.h"
#include "groth16/generator_multiples.h"
#include "r1cs/circuit.h"

namespace cuzk::groth16 {

/// None may be zero.
struct ToxicWaste {
  Fr alpha, beta, gamma, delta, tau;

  /// From the operating system's generator.
  static ToxicWaste fresh();
};

struct KeyFiles {
  std::filesystem::path params, vk;
};

struct KeyDigests {
  FileDigest params, vk;
};

/// Writes both files. Generators are the standard ones. Memory: about (2^k + 3 variables) * 32 bytes and 100 MiB,
/// 0.5 GB for porep-2k, however long the key is; the points are written as they are made. Progress counts bytes of
/// the .params file. Throws Error: invalid_input for a scalar that is zero or a tau that lies in the circuit's domain;
/// resource_exhausted; cancelled.
KeyDigests setup(const r1cs::Circuit& circuit, const ToxicWaste& waste, const KeyFiles& files, ThreadPool& pool,
                 const Control& control);
/// The same with points that somebody else makes, a device for example.
KeyDigests setup(const r1cs::Circuit& circuit, const ToxicWaste& waste, const KeyFiles& files,
                 GeneratorMultiples& multiples, ThreadPool& pool, const Control& control);

}  // namespace cuzk::groth16
