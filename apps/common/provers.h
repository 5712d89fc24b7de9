/// The prover that the command line asks for.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "groth16/generator_multiples.h"
#include "groth16/prover.h"

namespace cuzk::apps {

/// What --device takes.
inline const std::vector<std::string> kDevices{"cpu", "cuda", "auto"};

/// auto: the best that this build and machine have. vram_limit: bytes of a GPU's memory that may be used; 0: nine tenths of
/// what is free. The pool must outlive the prover. Throws Error{unavailable}.
std::unique_ptr<groth16::Prover> make_prover(const std::string& device, ThreadPool& pool, u64 vram_limit = 0);

/// Adds --device and --vram-limit.
void add_device_options(CLI::App& command, std::string& device, u64& vram_limit);

/// Who makes the points of a key; as make_prover.
std::unique_ptr<groth16::GeneratorMultiples> make_multiples(const std::string& device, ThreadPool& pool);

/// What a daemon proves with. A single GPU is its own spare: it goes on as the processor (groth16/fallback_prover.h).
struct LastingProvers {
  std::vector<std::unique_ptr<groth16::Prover>> devices;  ///< at least one
  std::unique_ptr<groth16::Prover> spare;                 ///< the processor, for when several GPUs are lost; or null
};

/// For a daemon, which runs for months: one prover for each device that is named ("cpu", "cuda:0"), none: all GPUs; of each
/// GPU at most `vram_limit` bytes are used, 0: nine tenths of what is free. A GPU that cannot be used is left out, the processor proves where none can; both are logged. The pool must outlive them.
/// Throws Error: not_found naming a GPU that is not there, unavailable where this build knows no GPU.
LastingProvers make_lasting_provers(const std::vector<std::string>& devices, u64 vram_limit, ThreadPool& pool);

/// For programs that prove one partition after the other: keeps the memory of a witness, as much as the largest takes,
/// for the next (base/page_pool.h).
void keep_memory_of_witnesses();

}  // namespace cuzk::apps
