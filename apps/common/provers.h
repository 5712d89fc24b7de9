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

/// Whether a key on the processor's side is to be in memory for many proofs, or is read by each from its file.
enum class KeyUse { often, once };

/// auto: the best that this build and machine have. vram_limit: bytes of a GPU's memory that may be used; 0: nine tenths of
/// what is free. The pool must outlive the prover. Throws Error{unavailable}.
std::unique_ptr<groth16::Prover> make_prover(const std::string& device, ThreadPool& pool, u64 vram_limit = 0,
                                             KeyUse use = KeyUse::often);

/// Adds --device and --vram-limit.
void add_device_options(CLI::App& command, std::string& device, u64& vram_limit);

/// Who makes the points of a key of these lengths; as make_prover.
std::unique_ptr<groth16::GeneratorMultiples> make_multiples(const std::string& device,
                                                            const groth16::KeyLengths& lengths, ThreadPool& pool);

/// For programs that prove one partition after the other: keeps the memory of a witness, as much as the largest takes,
/// for the next (base/page_pool.h).
void keep_memory_of_witnesses();

}  // namespace cuzk::apps
